"""The installation and those who run it: accounts, plans, first owners, its secret."""
