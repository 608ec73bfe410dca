"""Parts that bring customers back."""
