"""Addresses of lines, messages and their files."""
