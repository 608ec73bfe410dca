"""ePOS-Print: the XML that Epson's printers fetch from a server."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from functools import partial

from markupsafe import escape

from tablegram.printing.paper.document import Buzzer, Cut, Document, Drawer, Feed, Picture, Qr
from tablegram.printing.paper.letters import fit
from tablegram.printing.paper.setting import Piece, Row, rows
from tablegram.printing.printers.profile import Profile

_NAMESPACE = "http://www.epson-pos.com/schemas/2011/03/epos-print"
# A blank at the edge of a line would be lost, and so would the end of the line.
_KEPT = str.maketrans({"\n": "&#10;", "\u00a0": " "})


def epos_text(document: Document, profile: Profile) -> bytes:
    """With the printer's own letters of several languages; those that its code page lacks are not asked for."""
    pieces = rows(document, profile.columns, partial(fit, code_page=profile.code_page))
    # Blanks at the edges stay, and small letters are smoothed when they grow.
    return _whole('<text lang="mul" smooth="true"/>', (part for piece in pieces for part in _piece(piece, profile)))


def epos_pictures(pieces: tuple[Picture | Cut | Buzzer | Drawer | Feed, ...], profile: Profile) -> bytes:
    return _whole("", (part for piece in pieces for part in _piece(piece, profile)))


def _whole(before: str, parts: Iterator[str]) -> bytes:
    return f'<epos-print xmlns="{_NAMESPACE}">{before}{"".join(parts)}</epos-print>'.encode()


def _piece(piece: Piece, profile: Profile) -> Iterator[str]:
    if isinstance(piece, Row):
        style = piece.style
        yield (
            f'<text align="{piece.align}" width="{style.wide}" height="{style.high}" em="{_is(style.bold)}" '
            f'reverse="{_is(style.reverse)}">{escape(piece.text + chr(10)).translate(_KEPT)}</text>'
        )
    elif isinstance(piece, Feed):
        yield f'<feed line="{piece.lines}"/>'
    elif isinstance(piece, Picture):
        dots = b64encode(piece.dots).decode()
        yield f'<image width="{piece.width}" height="{piece.height}" color="color_1" mode="mono" align="center">{dots}</image>'
    elif isinstance(piece, Qr):
        yield f'<symbol type="qrcode_model_2" level="level_m" width="6" align="center">{escape(piece.data)}</symbol>'
    elif isinstance(piece, Cut):
        yield '<cut type="feed"/>' if profile.cut else '<feed line="5"/>'
    elif isinstance(piece, Buzzer):
        if profile.buzzer:
            yield f'<sound pattern="pattern_a" repeat="{piece.times}"/>'
    elif profile.drawer:
        yield '<pulse drawer="drawer_1" time="pulse_100"/>'


def _is(value: bool) -> str:
    return "true" if value else "false"
