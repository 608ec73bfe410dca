"""Contacts, conversations and what is done to many of them at once."""
