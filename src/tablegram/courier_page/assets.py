"""The page's style, modules and worker, named by what is in them."""

from __future__ import annotations

from pathlib import Path

from tablegram.web import STATIC as SHARED
from tablegram.web.assets import MIME, Asset, Shelf, asset, tag_of
from tablegram.web.plain.exchange import Answer

BASE = "/courier"
_OWN = Path(__file__).parent / "static"


def _read() -> dict[str, Asset]:
    style = "\n".join((folder / name).read_text() for folder, name in ((SHARED, "tokens.css"), (_OWN, "courier.css")))
    files = {name: asset((_OWN / name).read_bytes(), MIME[".js"]) for name in ("courier.js", "cards.js", "elements.js")}
    return {
        **files,
        # The same that keeps the taps of the kitchen.
        "taps.js": asset((SHARED / "taps.js").read_bytes(), MIME[".js"]),
        "turns.js": asset((SHARED / "turns.js").read_bytes(), MIME[".js"]),
        "courier.css": asset(style.encode(), MIME[".css"]),
        "icon.svg": asset((_OWN / "icon.svg").read_bytes(), MIME[".svg"]),
    }


SHELF = Shelf(_read)


def address(name: str) -> str:
    """Where the page finds a file."""
    return f"{BASE}/static/{SHELF.edition}/{SHELF.must_have(name)}"


def serve(edition: str, name: str) -> Answer:
    found = SHELF.find(name)
    return Answer(found.content, found.mime_type, keep=SHELF.keep(edition), tag=found.tag, packed=found.packed)


def worker() -> Answer:
    """It makes the page open without a network, with what it showed last."""
    files = ", ".join(f'"{address(name)}"' for name in SHELF.files)
    text = (_OWN / "worker.js").read_text().replace("{version}", SHELF.edition).replace('"{files}"', files)
    tag = tag_of(text.encode())
    return Answer(text.encode(), "text/javascript", keep="no-cache", tag=tag)
