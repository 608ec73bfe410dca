"""Pages about shops and forms."""
