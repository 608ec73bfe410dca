"""What the restaurant asks of whoever takes its money: online, and by gift card."""
