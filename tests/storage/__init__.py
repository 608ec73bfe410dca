"""Statements, transactions and migrations, on each database."""
