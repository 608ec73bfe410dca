"""Each provider against the promises of the port."""
