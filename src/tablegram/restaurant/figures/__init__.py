"""What each customer has ordered, counted in the transaction that changes an order."""
