"""Bodies of the calls about shops and forms."""
