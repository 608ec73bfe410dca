"""Pages where somebody puts a segment together sentence by sentence, and sees who is in it."""
