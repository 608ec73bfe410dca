"""API keys: how one is written, kept, recognised, refused and limited, and what was called with it."""
