"""One style, one module, one worker: put together when the program starts, and named by what is in them.

On a guest's phone every request costs a round trip: the module is written as several files and sent as one, and the
style stands in the page itself, where the page's policy knows it by its hash.
"""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tablegram.menu_page.exchange import Answer, tag_of
from tablegram.web import STATIC as SHARED
from tablegram.web.compression import pack

BASE = "/api/v1/menu"
FOR_EVER = "public, max-age=31536000, immutable"

_OWN = Path(__file__).parent / "static"
# Each file comes after those that it imports.
_MENU = ("words.js", "elements.js", "wire.js", "catalogue.js", "pricing.js", "cart.js", "saving.js", "search.js",
         "options.js", "cart_sheet.js", "sending.js", "table.js", "live.js", "menu.js")  # fmt: skip
_STATUS = ("words.js", "elements.js", "wire.js", "status.js")
_IMPORT = re.compile(r'^import [^;]*? from "\./[a-z_]+\.js";\n', re.MULTILINE | re.DOTALL)
_EXPORT = re.compile(r"^export (?=(?:async )?function|const|let|class)", re.MULTILINE)
_REMARK = re.compile(r"/\*.*?\*/\n?", re.DOTALL)
_COMMENT = re.compile(r"^\s*//.*\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Asset:
    content: bytes
    packed: bytes
    mime_type: str
    tag: str


@cache
def assets() -> dict[str, Asset]:
    return {
        "menu.js": _asset(bundle(_MENU), "text/javascript"),
        "status.js": _asset(bundle(_STATUS), "text/javascript"),
        "mark.svg": _asset((SHARED / "mark.svg").read_text(), "image/svg+xml"),
        "icon.svg": _asset((_OWN / "icon.svg").read_text(), "image/svg+xml"),
    }


@cache
def style() -> str:
    text = "\n".join(path.read_text() for path in (SHARED / "tokens.css", _OWN / "menu.css"))
    return _REMARK.sub("", text)


def style_hash() -> str:
    """By which the page's policy knows the style, and no other."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(style().encode()).digest()).decode()}'"


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
    return {path.name: path for path in _OWN.rglob("*.js")}


@cache
def version() -> str:
    """Stands in every address, one for all."""
    return hashlib.sha256("".join(asset.tag for asset in assets().values()).encode()).hexdigest()[:12]


def address(name: str) -> str:
    """Where the page finds a file. A name that does not exist is a mistake of ours and fails the page."""
    if name not in assets():
        raise ValueError(f"there is no file {name}")
    return f"{BASE}/static/{version()}/{name}"


def serve(edition: str, name: str) -> Answer | None:
    asset = assets().get(name)
    if asset is None:
        return None
    # An address of an older edition gets the present file, but is not told to keep it.
    keep = FOR_EVER if edition == version() else "no-cache"
    return Answer(asset.content, asset.mime_type, keep=keep, tag=asset.tag, packed=asset.packed)


def worker() -> Answer:
    """It makes a reload work without a network, for the page itself and not only for what lies below its address."""
    text = (_OWN / "worker.js").read_text().replace("{version}", version())
    return Answer(
        text.encode(),
        "text/javascript",
        keep="no-cache",
        tag=tag_of(text.encode()),
        headers={"Service-Worker-Allowed": BASE},
    )


def _asset(text: str, mime_type: str) -> Asset:
    content = text.encode()
    return Asset(content, pack(content, 9), mime_type, tag_of(content))
