"""Bills of tables."""
