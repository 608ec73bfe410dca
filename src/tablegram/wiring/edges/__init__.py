"""A part for each listener that serves all areas: it opens a path and passes on what it is asked."""
