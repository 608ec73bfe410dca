"""Gift cards: value that somebody pays for or gives away, and that bills are paid with."""
