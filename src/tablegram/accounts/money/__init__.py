"""What messages cost an account: rate cards, the free quota and the balance."""
