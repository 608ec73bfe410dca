"""What a venue took in a day, and by whom."""
