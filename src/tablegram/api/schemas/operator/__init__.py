"""Types of what the installation's administrators see."""
