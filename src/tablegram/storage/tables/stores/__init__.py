"""Tables of shops and forms."""
