"""A line by a phone's own number: a process of its own for each, which speaks `docs/reference/line-protocol.md`."""
