"""How far each line of an order is at its station: the rules, the rows, and the taps that move them."""
