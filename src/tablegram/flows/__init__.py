"""What needs two domains at once, by area, and the desks of edges; a flow is one thing that somebody does with the product."""
