"""Contacts by what is known of them."""
