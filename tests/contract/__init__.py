"""The same promises over every adapter of a port."""
