"""Templates: written, checked, and approved by the network."""
