"""One style, one module, one worker: put together when the program starts, and named by what is in them.

On a guest's phone every request costs a round trip: the module is written as several files and sent as one, and the
style stands in the page itself, where the page's policy knows it by its hash.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from tablegram.web import STATIC as SHARED
from tablegram.web.assets import MIME, Asset, Shelf, asset, tag_of
from tablegram.web.guards import hash_of
from tablegram.web.plain.exchange import Answer

BASE = "/api/v1/menu"

_OWN = Path(__file__).parent / "static"
# Each file comes after those that it imports.
_MENU = ("turns.js", "words.js", "elements.js", "sheets.js", "wire.js", "gift.js", "catalogue.js", "pricing.js", "cart.js", "saving.js",
         "search.js", "options.js", "phones.js", "bringing.js", "rewards.js", "offers.js", "order_form.js", "waiting.js",
         "sending.js", "table.js", "paying.js", "landing.js", "calls.js", "cart_sheet.js", "live.js", "menu.js")  # fmt: skip
_STATUS = ("turns.js", "words.js", "elements.js", "wire.js", "gift.js", "status.js")
_IMPORT = re.compile(r'^import [^;]*? from "\./[a-z_]+\.js";\n', re.MULTILINE | re.DOTALL)
_EXPORT = re.compile(r"^export (?=(?:async )?function|const|let|class)", re.MULTILINE)
_REMARK = re.compile(r"/\*.*?\*/\n?", re.DOTALL)
_COMMENT = re.compile(r"^\s*//.*\n", re.MULTILINE)


def _read() -> dict[str, Asset]:
    return {
        "menu.js": asset(bundle(_MENU).encode(), MIME[".js"]),
        "status.js": asset(bundle(_STATUS).encode(), MIME[".js"]),
        "mark.svg": asset((SHARED / "mark.svg").read_bytes(), MIME[".svg"]),
        "icon.svg": asset((_OWN / "icon.svg").read_bytes(), MIME[".svg"]),
    }


SHELF = Shelf(_read)


@cache
def style() -> str:
    text = "\n".join(path.read_text() for path in (SHARED / "tokens.css", _OWN / "menu.css"))
    return _REMARK.sub("", text)


def style_hash() -> str:
    """By which the page's policy knows the style, and no other."""
    return hash_of(style())


def bundle(names: tuple[str, ...]) -> str:
    """These modules as one: what they import from each other stands above them."""
    parts = []
    for name in names:
        text = _IMPORT.sub("", _scripts()[name].read_text())
        parts.append(_COMMENT.sub("", _EXPORT.sub("", text)))
    return "".join(parts)


@cache
def _scripts() -> dict[str, Path]:
    """By plain name, as they import each other, whichever folder they lie in."""
    return {path.name: path for path in (SHARED / "turns.js", *_OWN.rglob("*.js"))}


def address(name: str) -> str:
    """Where the page finds a file."""
    return f"{BASE}/static/{SHELF.edition}/{SHELF.must_have(name)}"


def serve(edition: str, name: str) -> Answer:
    found = SHELF.find(name)
    return Answer(found.content, found.mime_type, keep=SHELF.keep(edition), tag=found.tag, packed=found.packed)


def worker() -> Answer:
    """It makes a reload work without a network, for the page itself and not only for what lies below its address."""
    text = (_OWN / "worker.js").read_text().replace("{version}", SHELF.edition)
    return Answer(
        text.encode(),
        "text/javascript",
        keep="no-cache",
        tag=tag_of(text.encode()),
        headers={"Service-Worker-Allowed": BASE},
    )
