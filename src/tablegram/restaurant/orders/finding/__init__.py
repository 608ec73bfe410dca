"""Finding orders: what somebody means by what they typed, and the rows that it means."""
