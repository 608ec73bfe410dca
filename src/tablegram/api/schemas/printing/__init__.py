"""What a caller may send about printers, tickets and what stands on them."""
