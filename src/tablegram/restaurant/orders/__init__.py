"""Orders: their lines and totals, their states, their numbers, how they are kept, and the event that tells of them."""
