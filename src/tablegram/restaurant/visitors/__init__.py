"""Who comes to the page of a menu without being known: what they may cause."""
