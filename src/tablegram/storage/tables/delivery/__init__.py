"""Tables of zones around venues, and of the addresses that contacts have."""
