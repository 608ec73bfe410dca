"""Pages in a real browser, and how they are judged."""
