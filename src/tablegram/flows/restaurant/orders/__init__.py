"""Flows of an order once it is one: made, moved on, told to guests and staff."""
