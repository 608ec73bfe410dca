"""Commands for who watches an installation."""
