"""Pages of lines and their automatic replies."""
