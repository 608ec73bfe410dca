"""Pages of a venue: settings, hours, staff, tables."""
