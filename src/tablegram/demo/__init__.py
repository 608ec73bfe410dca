"""Two weeks in the life of a small restaurant, so that no page of a first visit is bare."""
