"""Pages of a restaurant: a folder for each room of it; here what these share, and sales."""
