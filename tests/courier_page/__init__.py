"""The page that a courier opens from a link."""
