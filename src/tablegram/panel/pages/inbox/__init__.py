"""Pages of the inbox: conversations, answers, canned replies, files."""
