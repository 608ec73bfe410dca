"""What keeps a store in good order and nothing else: its room on the disk, whether its files are sound, and copies of it."""
