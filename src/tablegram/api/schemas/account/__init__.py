"""Types of the account's people and usage."""
