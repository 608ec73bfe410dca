"""The SQL of messaging: messages, instances, templates."""
