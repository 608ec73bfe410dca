"""Orders that are read back: what the guest sees, and what comes of the answer."""
