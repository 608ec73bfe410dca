"""What a caller may send to make or change an automation."""
