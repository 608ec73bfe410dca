"""Linked devices: programs that a phone of this network has let in, by a code that it scanned."""
