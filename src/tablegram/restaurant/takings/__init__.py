"""The money that came in: the business days that it is counted by, and what it was."""
