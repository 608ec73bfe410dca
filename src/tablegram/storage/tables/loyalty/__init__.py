"""Tables of loyalty."""
