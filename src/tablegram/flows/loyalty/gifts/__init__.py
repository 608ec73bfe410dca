"""Gift cards where they meet bills, messages, people and time."""
