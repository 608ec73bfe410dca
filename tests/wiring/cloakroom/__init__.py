"""A toy domain, added as CONTRIBUTING.md says: guests leave their coats, and take them home again."""
