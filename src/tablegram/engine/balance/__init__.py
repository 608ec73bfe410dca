"""How the work of an installation is spread over its processes."""
