"""Addresses for the installation's own administrators."""
