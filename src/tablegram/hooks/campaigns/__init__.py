"""Short links of campaigns."""
