"""The HTTP kit: what everything that listens shares, from reading a body to ending a live stream.

Nothing here knows a listener, an account or a page. `docs/explanation/http.md` says what each listener gets.
"""

from __future__ import annotations

from pathlib import Path

STATIC = Path(__file__).parent / "static"
"""Served by each room under its own static path."""
