"""What comes of guests' words: drafts that were read back, wishes about orders, how often somebody was answered."""
