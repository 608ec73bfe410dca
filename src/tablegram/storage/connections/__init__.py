"""Connections to a database server."""
