"""Flows of lines and messages: sent, taken in, looked at, taken up again after a crash."""
