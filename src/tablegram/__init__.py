"""Tablegram: a messaging gateway with restaurant automation. Each folder is a layer or a domain of `ARCHITECTURE.md`."""
