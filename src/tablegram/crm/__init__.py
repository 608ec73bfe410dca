"""The pool of customers: everybody who writes becomes a contact."""
