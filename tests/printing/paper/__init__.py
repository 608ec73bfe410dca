"""What stands on paper, and how it is drawn and encoded."""
