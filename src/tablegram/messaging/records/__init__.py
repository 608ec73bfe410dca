"""Messages as they are shown, read as a conversation, and counted."""
