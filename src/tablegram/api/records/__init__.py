"""What is noted of each call: its name, its line in the log, the counts."""
