"""Readers of free texts beside ours: what they cost and when they are asked."""
