"""What processes of one database agree on: the time, and whose turn it is."""
