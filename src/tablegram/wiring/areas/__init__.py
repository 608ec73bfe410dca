"""A part for each area: it builds the services of the area and declares what they contribute."""
