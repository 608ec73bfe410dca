"""The store: tables, statements, transactions, group commit; it alone knows which database it is."""
