"""Reading, dish by dish: from what was found in a text to the lines of an order."""
