"""The till's cash, its movements and counts."""
