"""Every address of the API, by area. A handler parses, calls one thing, and renders; the parts declare them."""
