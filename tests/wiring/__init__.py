"""The list of parts, and a toy domain that is added to it."""
