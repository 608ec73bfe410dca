"""Small files that a phone can attach without having any: a picture and a document, drawn here."""

from __future__ import annotations

import struct
import zlib
from functools import cache

_WIDTH, _HEIGHT = 320, 240
_CLOTH, _CHECK, _PLATE, _RIM, _SOUP, _HERB = (
    (251, 250, 247),
    (253, 240, 227),
    (255, 255, 255),
    (228, 224, 216),
    (194, 87, 12),
    (28, 124, 74),
)


@cache
def picture() -> bytes:
    """A PNG of a plate of soup on a checked tablecloth."""
    rows = bytearray()
    for y in range(_HEIGHT):
        rows.append(0)
        for x in range(_WIDTH):
            rows.extend(_colour(x, y))
    header = struct.pack(">IIBBBBB", _WIDTH, _HEIGHT, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(bytes(rows), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _colour(x: int, y: int) -> tuple[int, int, int]:
    from_centre = (x - 160) ** 2 + (y - 120) ** 2
    if from_centre < 62**2:
        herbs = ((148, 108), (176, 130), (158, 146), (186, 104))
        return _HERB if any((x - at) ** 2 + (y - by) ** 2 < 25 for at, by in herbs) else _SOUP
    if from_centre < 96**2:
        return _RIM if from_centre > 92**2 or from_centre < 66**2 else _PLATE
    return _CHECK if (x // 32 + y // 32) % 2 else _CLOTH


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


@cache
def document() -> bytes:
    """A PDF of one page that says what it is."""
    text = b"BT /F1 18 Tf 40 780 Td (A document from the Tablegram sandbox) Tj ET"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(text), text),
    ]
    out = bytearray(b"%PDF-1.4\n")
    offsets = []
    for position, content in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (position, content)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)
