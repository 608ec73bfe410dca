"""How guests' texts are answered, counted by class."""
