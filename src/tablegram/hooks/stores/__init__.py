"""Where shops and forms call us."""
