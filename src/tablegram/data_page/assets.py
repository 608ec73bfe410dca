"""The page's style and script, named by what is in them."""

from __future__ import annotations

from pathlib import Path

from tablegram.web.assets import MIME, Asset, Shelf, asset
from tablegram.web.plain.exchange import Answer

BASE = "/my-data"
_OWN = Path(__file__).parent / "static"


def _read() -> dict[str, Asset]:
    return {
        "data.js": asset((_OWN / "data.js").read_bytes(), MIME[".js"]),
        "data.css": asset((_OWN / "data.css").read_bytes(), MIME[".css"]),
    }


SHELF = Shelf(_read)


def address(name: str) -> str:
    """Where the page finds a file."""
    return f"{BASE}/static/{SHELF.edition}/{SHELF.must_have(name)}"


def serve(edition: str, name: str) -> Answer:
    found = SHELF.find(name)
    return Answer(found.content, found.mime_type, keep=SHELF.keep(edition), tag=found.tag, packed=found.packed)
