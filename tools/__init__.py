"""What is run beside the suite, by `make` or by hand: proofs, checks, and what writes files of the repository."""
