"""Pages of notifications: how they are worded, what was said and what not, and carts that were left behind."""
