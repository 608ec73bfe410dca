"""Carts of guests until they are sent."""
