"""Work on strangers' files in child processes."""
