"""Pages that belong to no area: home, and what every page asks for."""
