"""Flows of the inbox: conversations and canned replies."""
