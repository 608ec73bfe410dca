"""Pages for the installation's own administrators."""
