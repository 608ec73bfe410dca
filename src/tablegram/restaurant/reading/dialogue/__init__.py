"""Reading, turn by turn: what is asked, what was answered, and both as one order."""
