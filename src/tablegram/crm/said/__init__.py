"""What was said, as what finds people: the words, and who walks behind the messages to note them."""
