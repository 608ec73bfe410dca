"""Who comes to the pages of a menu and of an order without being known: what they may cause, and what they follow."""
