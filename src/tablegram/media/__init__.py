"""Files that customers send: fetched once, kept, handed out, and forgotten in time."""
