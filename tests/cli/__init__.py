"""Commands, as somebody at the machine types them."""
