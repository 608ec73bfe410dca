"""Dots as a PNG file, written by hand: the server loads no program for pictures."""

from __future__ import annotations

import struct
import zlib

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
# One bit a dot, shades of grey.
_DEPTH, _GREY = 1, 0
_INVERTED = bytes(255 - value for value in range(256))
# Paper is mostly white: the first level makes it nearly as small as the last.
_LEVEL = 1


def png_of_dots(width: int, height: int, dots: bytes) -> bytes:
    """Black on white, from rows that each begin with a byte of their own: dark is 1 there, and 0 in this format."""
    row = (width + 7) // 8
    light = dots.translate(_INVERTED)
    lines = b"".join(b"\0" + light[top : top + row] for top in range(0, row * height, row))
    head = struct.pack(">IIBBBBB", width, height, _DEPTH, _GREY, 0, 0, 0)
    return _SIGNATURE + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(lines, _LEVEL)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
