"""What stands around a web framework: when it is built."""
