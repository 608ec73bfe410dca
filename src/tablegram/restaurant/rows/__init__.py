"""What a row of the restaurant's store holds, column by column."""
