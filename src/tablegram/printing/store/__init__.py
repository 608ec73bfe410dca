"""The SQL of printing."""
