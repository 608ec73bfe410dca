"""What every page of the product shares: design tokens, and the mark. Files only; no code but their place."""

from __future__ import annotations

from pathlib import Path

STATIC = Path(__file__).parent / "static"
"""Served by each room under its own static path."""
