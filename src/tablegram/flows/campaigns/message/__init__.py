"""What a message of a campaign is made of: its words, its picture, its templates."""
