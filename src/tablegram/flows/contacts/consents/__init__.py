"""Flows of consent: what customers say of being written to, heard, noted, shown and exported."""
