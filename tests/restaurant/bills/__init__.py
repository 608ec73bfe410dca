"""Bills of tables: opened, split, paid and closed."""
