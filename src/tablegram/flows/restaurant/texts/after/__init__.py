"""What comes after a text: answers to what was asked, wishes about orders, questions that the menu answers, and the last word."""
