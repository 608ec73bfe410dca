"""Carts that were left behind: their timers, and who bought after all."""
