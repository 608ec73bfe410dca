"""The doctor: each check of an installation, and the command that runs them all."""
