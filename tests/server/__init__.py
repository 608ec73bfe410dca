"""The listener: its protocol, limits, logs and health pages."""
