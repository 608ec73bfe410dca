"""Where printers and print agents call us."""
