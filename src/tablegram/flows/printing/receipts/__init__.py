"""Receipts of tables: where a bill meets printers and messages."""
