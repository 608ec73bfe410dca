"""Templates of lines: looked up, written, handed over to the network and taken away."""
