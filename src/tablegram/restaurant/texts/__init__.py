"""What comes of guests' words: what they ask that the menu answers, drafts that were read back, wishes about orders, how often
somebody was answered; and the words and the language that they are told in."""
