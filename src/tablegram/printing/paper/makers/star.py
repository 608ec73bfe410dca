"""Star's commands: StarPRNT of the newer printers, and line mode of those before them.

Both share letters, sizes and cuts; only pictures and codes differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tablegram.printing.paper.document import Buzzer, Cut, Document, Drawer, Feed, Picture, Qr
from tablegram.printing.paper.letters import encoded, fit
from tablegram.printing.paper.setting import PLAIN, Piece, Row, Style, rows
from tablegram.printing.printers.profile import Profile

_INIT = b"\x1b@"
_ALIGN = {"left": 0, "center": 1, "right": 2}
# Under these numbers every printer of Star has its code pages.
_PAGES = {
    "cp437": 1, "cp858": 4, "cp852": 5, "cp860": 6, "cp861": 7, "cp863": 8, "cp865": 9, "cp866": 10, "cp857": 12,
    "cp862": 13, "cp864": 14, "cp737": 15, "cp869": 17, "cp1252": 32, "cp1250": 33, "cp1251": 34,
}  # fmt: skip
# For the code pages that Star has not: of all that it has, the one with a Turk's letters.
_USUAL = "cp857"
# Rows of dots in one command of StarPRNT.
_BAND = 512
_QR_DOTS = 6


def star_text(document: Document, profile: Profile) -> bytes:
    """With the printer's own letters: the same for StarPRNT and line mode."""
    page = profile.code_page if profile.code_page in _PAGES else _USUAL
    made = bytearray(_INIT + b"\x1b\x1dt" + bytes((_PAGES[page],)))
    style, align = PLAIN, "left"
    for piece in rows(document, profile.columns, partial(fit, code_page=page)):
        if isinstance(piece, Row | Qr | Picture):
            turned, placed = (piece.style, piece.align) if isinstance(piece, Row) else (PLAIN, "center")
            if placed != align:
                made += b"\x1b\x1da" + bytes((_ALIGN[placed],))
            made += _styled(turned, style)
            style, align = turned, placed
        made += b"".join(_piece(piece, profile, page))
    return bytes(made + _styled(PLAIN, style))


def starprnt_pictures(pieces: tuple[Picture | Cut | Buzzer | Drawer | Feed, ...], profile: Profile) -> bytes:
    return _INIT + b"".join(b"".join(_piece(piece, profile, _USUAL)) for piece in pieces)


def line_pictures(pieces: tuple[Picture | Cut | Buzzer | Drawer | Feed, ...], profile: Profile) -> bytes:
    """Printers of line mode take dots row by row, after they were told that dots come."""
    made = [_INIT]
    for piece in pieces:
        if not isinstance(piece, Picture):
            made += _piece(piece, profile, _USUAL)
            continue
        row = (piece.width + 7) // 8
        made.append(b"\x1b*rA\x1b*rP0\x00\x1b*rE1\x00")
        for top in range(0, len(piece.dots), row):
            made += [b"b" + row.to_bytes(2, "little"), piece.dots[top : top + row]]
        made.append(b"\x1b*rB")
    return b"".join(made)


def _styled(new: Style, old: Style) -> bytes:
    made = b""
    if (new.wide, new.high) != (old.wide, old.high):
        made += b"\x1bi" + bytes((new.high - 1, new.wide - 1))
    if new.bold != old.bold:
        made += b"\x1bE" if new.bold else b"\x1bF"
    if new.reverse != old.reverse:
        made += b"\x1b4" if new.reverse else b"\x1b5"
    return made


def _piece(piece: Piece, profile: Profile, page: str) -> Iterator[bytes]:
    if isinstance(piece, Row):
        yield encoded(piece.text, page) + b"\n"
    elif isinstance(piece, Feed):
        yield b"\x1ba" + bytes((piece.lines,))
    elif isinstance(piece, Picture):
        row = (piece.width + 7) // 8
        for top in range(0, piece.height, _BAND):
            high = min(_BAND, piece.height - top)
            yield b"\x1b\x1dS\x01" + row.to_bytes(2, "little") + high.to_bytes(2, "little") + b"\x00"
            yield piece.dots[top * row : (top + high) * row]
    elif isinstance(piece, Qr):
        raw = piece.data.encode()
        yield b"\x1b\x1dyS0\x02\x1b\x1dyS1\x01\x1b\x1dyS2" + bytes((_QR_DOTS,))
        yield b"\x1b\x1dyD1\x00" + len(raw).to_bytes(2, "little") + raw + b"\x1b\x1dyP\n"
    elif isinstance(piece, Cut):
        # Feeds to the knife and leaves a corner standing; without one, to where a hand can tear.
        yield b"\x1bd3" if profile.cut else b"\x1ba\x05"
    elif isinstance(piece, Buzzer):
        if profile.buzzer:
            yield b"\x1b\x1d\x07\x01\x02\x02" * piece.times
    elif profile.drawer:
        yield b"\x07"
