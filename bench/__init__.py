"""What things cost: each file measures one of them on a product that it starts, and `make bench` runs them."""
