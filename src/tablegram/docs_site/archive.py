"""The built site: a zip file whose parts are packed as browsers take them, so that nothing is packed or kept here.

It is opened when somebody first asks. A new one in its place is noticed, so that a running server shows what was just built.
"""

from __future__ import annotations

import os
import struct
import weakref
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

SITE = Path(__file__).parent / "site.zip"

# A local header of a zip file: thirty bytes, of which the last four tell how long the name and its extras are.
_LOCAL = struct.Struct("<26xHH")
_GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"
_GZIP_TAIL = struct.Struct("<II")


@dataclass(frozen=True, slots=True)
class Part:
    """Where a file of the site lies in the archive."""

    offset: int
    packed_size: int
    size: int
    checksum: int
    is_packed: bool

    @property
    def tag(self) -> str:
        return f'"{self.checksum:08x}-{self.size:x}"'


class NotBuiltError(Exception):
    """There is no site here."""


class Edition:
    """One built site. It is held open, so that who reads it sees nothing of the one that takes its place."""

    def __init__(self, path: Path) -> None:
        self._fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        weakref.finalize(self, os.close, self._fd)
        self.stamp = _stamp(os.fstat(self._fd))
        with os.fdopen(os.dup(self._fd), "rb") as file, zipfile.ZipFile(file) as archive:
            self._parts = {one.filename: _part(one) for one in archive.infolist()}

    def find(self, name: str) -> Part | None:
        return self._parts.get(name)

    def read(self, part: Part, *, packed: bool) -> bytes:
        """Its bytes; as gzip where that is wanted and the part is packed at all."""
        head = os.pread(self._fd, _LOCAL.size, part.offset)
        raw = os.pread(self._fd, part.packed_size, part.offset + _LOCAL.size + sum(_LOCAL.unpack(head)))
        if not part.is_packed:
            return raw
        if packed:
            return _GZIP_HEAD + raw + _GZIP_TAIL.pack(part.checksum, part.size)
        return zlib.decompress(raw, -zlib.MAX_WBITS, part.size)


class Archive:
    def __init__(self, path: Path = SITE) -> None:
        self._path = path
        self._edition: Edition | None = None

    def edition(self) -> Edition:
        """What lies there now."""
        try:
            if self._edition is None or self._edition.stamp != _stamp(self._path.stat()):
                self._edition = Edition(self._path)
        except FileNotFoundError:
            self._edition = None
            raise NotBuiltError from None
        return self._edition


def _stamp(found: os.stat_result) -> tuple[int, int]:
    return found.st_ino, found.st_mtime_ns


def _part(entry: zipfile.ZipInfo) -> Part:
    packed = entry.compress_type == zipfile.ZIP_DEFLATED
    return Part(entry.header_offset, entry.compress_size, entry.file_size, entry.CRC, packed)
