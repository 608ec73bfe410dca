"""Segments: contacts by rules that people can read, saved under a name, and counted by one statement."""
