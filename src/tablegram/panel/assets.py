"""Styles, modules and pictures: read once, compressed once, and named by what is in them."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from litestar import Request, Response, get
from litestar.params import FromPath

from tablegram.errors import NotFound
from tablegram.web import STATIC as SHARED

_OWN = Path(__file__).parent / "static"
_MIME = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_FOR_EVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Asset:
    content: bytes
    packed: bytes
    mime_type: str
    tag: str


@cache
def assets() -> dict[str, Asset]:
    """By plain name, whichever area's folder a file lies in: modules of different areas import each other as neighbours."""
    paths = [path for folder in (SHARED, _OWN) for path in sorted(folder.rglob("*")) if path.suffix in _MIME]
    found = {path.name: _load(path) for path in paths}
    if len(found) < len(paths):
        raise ValueError("two static files have the same name")
    return found


@cache
def version() -> str:
    """Stands in every address. One for all, so that modules which import each other by plain name stay together."""
    return hashlib.sha256("".join(asset.tag for asset in assets().values()).encode()).hexdigest()[:12]


def address(name: str) -> str:
    """Where the page finds a file. A name that does not exist is a mistake of ours and fails the page."""
    if name not in assets():
        raise ValueError(f"there is no static file {name}")
    return f"/panel/static/{version()}/{name}"


@get("/static/{edition:str}/{name:str}", opt={"public": True})
async def static_file(request: Request[Any, Any, Any], edition: FromPath[str], name: FromPath[str]) -> Response[bytes]:
    asset = assets().get(name)
    if asset is None:
        raise NotFound(f"There is no file {name[:80]!r}.")
    # An address of an older edition gets the present file, but is not told to keep it.
    headers = {
        "ETag": asset.tag,
        "Cache-Control": _FOR_EVER if edition == version() else "no-cache",
        "Vary": "Accept-Encoding",
    }
    if request.headers.get("if-none-match") == asset.tag:
        return Response(b"", status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(asset.packed, media_type=asset.mime_type, headers={**headers, "Content-Encoding": "gzip"})
    return Response(asset.content, media_type=asset.mime_type, headers=headers)


def _load(path: Path) -> Asset:
    content = path.read_bytes()
    tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    return Asset(content, gzip.compress(content, 9, mtime=0), _MIME[path.suffix], tag)


HANDLERS = [static_file]
