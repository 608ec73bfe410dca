"""Gift cards: sold, spent, given back and sent."""
