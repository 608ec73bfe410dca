"""What rows of the store hold, column by column."""
