"""Pages of printers and of the printing log."""
