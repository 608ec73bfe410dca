"""Styles, modules and pictures: read once, packed once, and named by what is in them.

The address of a file holds the edition of its shelf, one for all files on it, so that modules which import each other by
plain name stay together. Under the present edition a file never changes and browsers keep it for ever; an address of an
older one gets the present file, but is not told to keep it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tablegram.errors import NotFound
from tablegram.web.compression import pack

FOR_EVER = "public, max-age=31536000, immutable"
MIME = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class Asset:
    content: bytes
    packed: bytes
    mime_type: str
    tag: str


def tag_of(body: bytes) -> str:
    return f'"{hashlib.sha256(body).hexdigest()[:24]}"'


def asset(content: bytes, mime_type: str) -> Asset:
    return Asset(content, pack(content, 9), mime_type, tag_of(content))


def read_folders(*folders: Path) -> dict[str, Asset]:
    """Every file that pages use, by plain name, whichever folder it lies in."""
    return _by_name(path for folder in folders for path in sorted(folder.rglob("*")) if path.suffix in MIME)


def _by_name(paths: Iterable[Path]) -> dict[str, Asset]:
    found: dict[str, Asset] = {}
    for path in paths:
        if path.name in found:
            raise ValueError(f"two static files have the name {path.name}")
        found[path.name] = asset(path.read_bytes(), MIME[path.suffix])
    return found


class Shelf:
    """The files of one listener. They are read when the first of them is asked for."""

    def __init__(self, read: Callable[[], Mapping[str, Asset]]) -> None:
        self._read = read

    @cached_property
    def files(self) -> Mapping[str, Asset]:
        return self._read()

    @cached_property
    def edition(self) -> str:
        return hashlib.sha256("".join(one.tag for one in self.files.values()).encode()).hexdigest()[:12]

    def must_have(self, name: str) -> str:
        """The name itself. One that does not exist is a mistake of ours and fails the page."""
        if name not in self.files:
            raise ValueError(f"there is no static file {name}")
        return name

    def find(self, name: str) -> Asset:
        found = self.files.get(name)
        if found is None:
            raise NotFound(f"There is no file {name[:80]!r}.")
        return found

    def keep(self, edition: str) -> str:
        """How long a browser keeps what it asked for under this edition."""
        return FOR_EVER if edition == self.edition else "no-cache"
