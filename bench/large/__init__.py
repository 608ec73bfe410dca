"""What things cost on an account with years of rows: the filling, and the questions that are asked of it."""
