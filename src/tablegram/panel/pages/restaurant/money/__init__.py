"""Money that came in, and the cash in the drawer."""
