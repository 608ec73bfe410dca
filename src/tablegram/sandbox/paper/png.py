"""Dots as a PNG file, written by hand: the server loads no program for pictures."""

from __future__ import annotations

import struct
import zlib

from tablegram.sandbox.paper.decoder import Dots

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
# One bit a dot, shades of grey.
_DEPTH, _GREY = 1, 0


def png(dots: Dots) -> bytes:
    """Black on white; paper has 1 for dark, and this format has 0."""
    row = (dots.width + 7) // 8
    light = dots.rows.translate(bytes(255 - value for value in range(256)))
    lines = b"".join(b"\0" + light[top : top + row] for top in range(0, row * dots.height, row))
    head = struct.pack(">IIBBBBB", dots.width, dots.height, _DEPTH, _GREY, 0, 0, 0)
    return _SIGNATURE + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(lines)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
