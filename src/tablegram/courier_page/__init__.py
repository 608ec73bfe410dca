"""The courier's own page: one large button for each step, on a phone with one free hand and bad reception."""
