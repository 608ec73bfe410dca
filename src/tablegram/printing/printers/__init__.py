"""Printers: what each can do, what it prints, how it is known again, and how it is right now."""
