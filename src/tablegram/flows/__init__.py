"""What needs two domains at once, by area; a flow is one thing that somebody does with the product."""
