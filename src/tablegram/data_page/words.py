"""Words of the page."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

LANGUAGES = ("en", "tr")
_HERE = Path(__file__).parent / "words"


@cache
def words(language: str) -> dict[str, str]:
    """English where we do not speak the language."""
    spoken = language if language in LANGUAGES else "en"
    return msgspec.json.decode((_HERE / f"{spoken}.json").read_bytes(), type=dict[str, str])
