"""Where shops and forms meet lines, contacts and money: what is said because of their events."""
