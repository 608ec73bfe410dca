"""The documentation as one ASGI application: paced by address, guarded by headers, kept by browsers.

GET  /docs/…          a page (its address ends with a slash), or a file that pages use
GET  /docs/plain.css  the style of the pages that say why there is none
"""

from __future__ import annotations

import asyncio
import re
import time
from pathlib import Path, PurePosixPath
from typing import Any

from tablegram.docs_site import notices
from tablegram.docs_site.archive import Archive, NotBuiltError, Part
from tablegram.errors import MethodNotAllowed, Problem, TooMany
from tablegram.settings import Settings
from tablegram.web.addresses import Addresses, limit_key
from tablegram.web.asgi import Field, Receive, Scope, Send, answer, header
from tablegram.web.assets import FOR_EVER, Shelf, read_folders
from tablegram.web.compression import takes_gzip
from tablegram.web.guards import guards, policy
from tablegram.web.limits import Limiter, Pace

BASE = "/docs"
# A page brings a dozen files along, and a reader turns pages quickly.
PACE = Pace(20.0, 200)
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
# A name that holds a piece of the file's own checksum never means anything else.
_NAMED_BY_CONTENT = re.compile(r"\.[0-9a-f]{8}\.(?:min\.)?(?:js|css)$")
_OWN = Shelf(lambda: read_folders(Path(__file__).parent / "static"))


class DocsSite:
    """Answers everything under `/docs`."""

    def __init__(self, settings: Settings, archive: Archive | None = None) -> None:
        self._archive = archive or Archive()
        self._addresses = Addresses(settings.trusted_proxies)
        self._limiter = Limiter()
        # The search works in a thread of its own, and the theme draws its icons from its own style.
        self._guards = guards(policy(img="'self' data:", worker="'self'"), settings.base_url)

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        try:
            status, fields, body = await self._answer(scope)
        except NotBuiltError:
            status, fields, body = notices.not_built(scope)
        except Problem as problem:
            status, fields, body = notices.refused(scope, problem)
        await answer(send, status, [*fields, *self._guards], body)

    async def _answer(self, scope: Scope) -> tuple[int, list[Field], bytes]:
        decision = self._limiter.take(limit_key(self._addresses.of(scope)), *PACE, time.monotonic())
        if not decision.allowed:
            raise TooMany("Too many requests from your network at once.", retry_after_s=decision.retry_after_s)
        if scope["method"] not in ("GET", "HEAD"):
            raise MethodNotAllowed("This address takes GET.", headers={"Allow": "GET, HEAD"})
        path: str = scope["path"].removeprefix(BASE)
        if path == "/plain.css":
            style = _OWN.find("plain.css")
            return 200, [(b"content-type", KINDS[".css"].encode()), (b"cache-control", b"no-cache")], style.content
        edition = self._archive.edition()
        name = path.removeprefix("/")
        if not name or name.endswith("/"):
            name += "index.html"
        part = edition.find(name) if path else None
        if part is None and edition.find(f"{name.removesuffix('index.html')}/index.html".lstrip("/")):
            # Links of a page count from its own address, which ends with a slash.
            return 308, [(b"location", f"{scope['path']}/".encode("latin-1"))], b""
        if part is None:
            return notices.nowhere(scope)
        fields = _fields(name, part)
        if part.tag in header(scope, b"if-none-match"):
            return 304, fields, b""
        packed = part.is_packed and takes_gzip(scope)
        body = await asyncio.to_thread(edition.read, part, packed=packed)
        return 200, [*fields, *([(b"content-encoding", b"gzip")] if packed else [])], body


def _fields(name: str, part: Part) -> list[Field]:
    kind = KINDS.get(PurePosixPath(name).suffix, "text/plain; charset=utf-8")
    keep = FOR_EVER if _NAMED_BY_CONTENT.search(name) else "no-cache"
    return [
        (b"content-type", kind.encode()),
        (b"cache-control", keep.encode()),
        (b"etag", part.tag.encode()),
        *([(b"vary", b"accept-encoding")] if part.is_packed else []),
    ]
