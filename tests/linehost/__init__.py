"""The process of a linked line, and what it is told and tells."""
