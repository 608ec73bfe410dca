"""Tables of connected shops and forms, what they delivered, their carts and what customers were told."""
