"""Pages of the panel without a browser: what is shown, saved and refused."""
