"""The paper as plain text, in UTF-8: for clients that take nothing else, and for people."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import msgspec

from tablegram.printing.paper.document import Block, Columns, Document, Feed, Qr, Text
from tablegram.printing.paper.letters import fit
from tablegram.printing.paper.setting import Piece, Row, rows
from tablegram.printing.printers.profile import Profile


def plain_text(document: Document, profile: Profile) -> bytes:
    """In signs of the printer's code page, so that it has each of them."""
    flat = Document(tuple(map(_flat, document.blocks)), document.language)
    pieces = rows(flat, profile.columns, partial(fit, code_page=profile.code_page))
    lines = [line for piece in pieces for line in _lines(piece, profile.columns)]
    return "".join(f"{line.rstrip()}\n" for line in lines).encode()


def _flat(block: Block) -> Block:
    """Every letter has one width here."""
    return msgspec.structs.replace(block, wide=1, high=1) if isinstance(block, Text | Columns) else block


def _lines(piece: Piece, columns: int) -> Iterator[str]:
    if isinstance(piece, Row):
        room = columns - len(piece.text)
        before = {"left": 0, "center": room // 2, "right": room}[piece.align]
        yield " " * max(before, 0) + piece.text
    elif isinstance(piece, Feed):
        yield from [""] * piece.lines
    elif isinstance(piece, Qr):
        yield piece.data
