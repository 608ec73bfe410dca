"""What is not an order: wishes about orders, questions that the menu answers, and the last word."""
