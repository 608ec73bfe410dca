"""Contacts from tables: which column is which, what is wrong with which row, and how the good ones come in."""
