"""The bill of a table: what was ordered, let off, paid and is open; and the cash of a venue."""
