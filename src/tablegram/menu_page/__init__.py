"""The guest's page: the menu of a table, its cart, calls to the waiter, and how an order gets on.

Everything under `/api/v1/menu` is public and knows no key. What a guest may do is in `flows/restaurant/guests`; here
it is read, asked for and drawn.
"""
