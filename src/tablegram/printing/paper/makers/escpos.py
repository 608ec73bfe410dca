"""ESC/POS: the commands that most receipt printers follow."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tablegram.printing.paper.document import Buzzer, Cut, Document, Drawer, Feed, Picture, Qr
from tablegram.printing.paper.letters import encoded, fit
from tablegram.printing.paper.setting import PLAIN, Piece, Row, Style, rows
from tablegram.printing.printers.profile import Profile

# Begin anew; and single bytes, which printers made for Chinese would take for halves of a sign.
_INIT = b"\x1b@\x1c."
_ALIGN = {"left": 0, "center": 1, "right": 2}
# Rows of dots in one command: printers with little memory stop at more.
BAND = 192
_QR_DOTS = 6
# From the head that prints to the knife, where there is one; and to where a hand can tear.
_TO_TEAR = 5


def escpos_text(document: Document, profile: Profile) -> bytes:
    """With the printer's own letters, in its code page."""
    made = bytearray(_INIT + b"\x1bt" + bytes((profile.slot,)))
    state = _State()
    for piece in rows(document, profile.columns, partial(fit, code_page=profile.code_page)):
        made += state.turn(piece)
        made += b"".join(_piece(piece, profile))
    return bytes(made + state.turn(Row("")))


def escpos_pictures(pieces: tuple[Picture | Cut | Buzzer | Drawer | Feed, ...], profile: Profile) -> bytes:
    """What was drawn as dots, with what the printer does beside printing."""
    return _INIT + b"".join(b"".join(_piece(piece, profile)) for piece in pieces)


class _State:
    """What the printer was last told, so that it is told only what changes."""

    def __init__(self) -> None:
        self._style, self._align = PLAIN, "left"

    def turn(self, piece: Piece) -> bytes:
        if isinstance(piece, Row):
            style, align = piece.style, piece.align
        elif isinstance(piece, Qr | Picture):
            style, align = PLAIN, "center"
        else:
            return b""
        made = b""
        if align != self._align:
            made += b"\x1ba" + bytes((_ALIGN[align],))
        if style != self._style:
            made += _styled(style, self._style)
        self._style, self._align = style, align
        return made


def _styled(new: Style, old: Style) -> bytes:
    made = b""
    if (new.wide, new.high) != (old.wide, old.high):
        made += b"\x1d!" + bytes(((new.wide - 1) << 4 | (new.high - 1),))
    if new.bold != old.bold:
        made += b"\x1bE" + bytes((new.bold,))
    if new.reverse != old.reverse:
        made += b"\x1dB" + bytes((new.reverse,))
    return made


def _piece(piece: Piece, profile: Profile) -> Iterator[bytes]:
    if isinstance(piece, Row):
        yield encoded(piece.text, profile.code_page) + b"\n"
    elif isinstance(piece, Feed):
        yield b"\x1bd" + bytes((piece.lines,))
    elif isinstance(piece, Picture):
        yield from bands(piece)
    elif isinstance(piece, Qr):
        yield _qr(piece.data)
    elif isinstance(piece, Cut):
        # Feeds to the knife, and leaves a corner standing so that nothing falls.
        yield b"\x1dVB\x00" if profile.cut else b"\x1bd" + bytes((_TO_TEAR,))
    elif isinstance(piece, Buzzer):
        if profile.buzzer:
            yield b"\x1bB" + bytes((piece.times, 2))
    elif profile.drawer:
        yield b"\x1bp\x00\x19\xfa"


def bands(picture: Picture) -> Iterator[bytes]:
    row = (picture.width + 7) // 8
    for top in range(0, picture.height, BAND):
        high = min(BAND, picture.height - top)
        yield b"\x1dv0\x00" + row.to_bytes(2, "little") + high.to_bytes(2, "little")
        yield picture.dots[top * row : (top + high) * row]


def _qr(data: str) -> bytes:
    raw = data.encode()
    return b"".join((
        b"\x1d(k\x04\x001A2\x00",
        b"\x1d(k\x03\x001C" + bytes((_QR_DOTS,)),
        b"\x1d(k\x03\x001E1",
        b"\x1d(k" + (len(raw) + 3).to_bytes(2, "little") + b"1P0" + raw,
        b"\x1d(k\x03\x001Q0",
    ))  # fmt: skip
