"""What is done with texts that people write for others: which variables they name, and how these are filled in."""
