"""The repository itself: its files, its suite and its tools."""
