"""Who agreed to what, and how that is heard, shown and proved."""
