"""The SQL of payments."""
