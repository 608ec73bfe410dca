"""Statements on segments: as they are saved, and as questions about contacts."""
