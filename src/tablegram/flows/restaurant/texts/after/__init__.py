"""What comes after a text: answers to what was asked, wishes about orders, and the last word."""
