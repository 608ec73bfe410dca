"""Pages of a venue's menu: its dishes, their options, many at once."""
