"""Connections to a database server, and how a file is spoken to."""
