"""Forms of any builder: how their bodies are read, which shapes they have, and who wrote."""
