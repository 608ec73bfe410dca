"""Commands about accounts, their plans, keys and people, and about operators."""
