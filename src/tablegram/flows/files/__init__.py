"""Flows of files: fetched from the network, uploaded to be sent, handed out, forgotten."""
