"""Sets a document in cells of one width, as printers in text mode have them: rows, each with one style."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import msgspec

from tablegram.printing.paper.document import (
    Align,
    Block,
    Buzzer,
    Columns,
    Cut,
    Document,
    Drawer,
    Feed,
    Picture,
    Qr,
    Rule,
    Text,
)


class Style(NamedTuple):
    wide: int = 1
    high: int = 1
    bold: bool = False
    reverse: bool = False


class Row(NamedTuple):
    """One line of signs that fits the paper."""

    text: str
    style: Style = Style()
    align: Align = "left"


Piece = Row | Qr | Picture | Feed | Cut | Buzzer | Drawer
PLAIN = Style()
# A stroke behind what is struck, with the blank before it, is seen when it is so long.
_STROKE = 4


def rows(document: Document, columns: int, fit: Callable[[str], str]) -> Iterator[Piece]:
    """`fit` gives a text in signs that the printer has."""
    for block in document.blocks:
        yield from _set(block, columns, fit)


def _set(block: Block, columns: int, fit: Callable[[str], str]) -> Iterator[Piece]:
    if isinstance(block, Text):
        yield from _text(block, columns, fit)
    elif isinstance(block, Columns):
        yield from _columns(block, columns, fit)
    elif isinstance(block, Rule):
        yield Row(fit("═" if block.heavy else "─") * columns)
    else:
        yield block


def _text(block: Text, columns: int, fit: Callable[[str], str]) -> Iterator[Row]:
    style = Style(block.wide, block.high, block.bold, block.reverse)
    indent = " " * -(-block.indent // block.wide)
    width = columns // block.wide - len(indent)
    inner = width - 4 if block.box else width - 2 if block.reverse else width
    lines = [line for part in block.text.split("\n") for line in wrap(fit(part), inner, block.hang)]
    if block.strike:
        lines = _struck(lines, inner, fit("─"))
    if block.box:
        wide = max(map(len, lines)) + 2
        bar, side = fit("─") * wide, fit("│")
        yield Row(indent + fit("┌") + bar + fit("┐"), style, block.align)
        for line in lines:
            yield Row(f"{indent}{side} {line:<{wide - 2}} {side}", style, block.align)
        yield Row(indent + fit("└") + bar + fit("┘"), style, block.align)
        return
    for line in lines:
        yield Row(f"{indent} {line} " if block.reverse else indent + line, style, block.align)


def _struck(lines: list[str], width: int, stroke: str) -> list[str]:
    """No printer strikes its letters through; strokes from their end to the edge say it as well."""
    if width - len(lines[-1]) < _STROKE:
        lines = [*lines, ""]
    rooms = [width - len(line) - 1 for line in lines]
    return [f"{line} {stroke * room}" if room >= _STROKE - 1 else line for line, room in zip(lines, rooms, strict=True)]


def _columns(block: Columns, columns: int, fit: Callable[[str], str]) -> Iterator[Row]:
    style = Style(block.wide, block.high, block.bold)
    indent = " " * -(-block.indent // block.wide)
    width = columns // block.wide - len(indent)
    right = fit(block.right).replace("\u00a0", " ")
    left = fit(block.left)
    if block.wide > 1 and (len(left) + 1 + len(right) > width if block.whole else width - len(right) < 8):
        yield from _columns(smaller(block), columns, fit)
        return
    lines = wrap(left, width)
    if right and len(lines[-1]) + 1 + len(right) > width:
        lines.append("")
    for line in lines[:-1]:
        yield Row(indent + line, style)
    gap = width - len(lines[-1]) - len(right)
    fill = fit("─") if block.strike and gap > 2 else " "
    between = f" {fill * (gap - 2)} " if fill != " " else " " * max(gap, 0)
    yield Row(indent + (lines[-1] + between + right if right else lines[-1]), style)


def smaller(block: Columns) -> Columns:
    """By one size; plain letters stay twice as high, so that they are still seen from afar."""
    wide = block.wide - 1
    return msgspec.structs.replace(block, wide=wide, high=max(wide, 2))


def wrap(text: str, width: int, hang: int = 0) -> list[str]:
    """Lines of at most this width, parted at blanks; a word is only broken where it is wider than the paper."""
    width = max(width, 1)
    hang = hang if hang < width // 2 else 0
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        room = width - (hang if lines else 0)
        if line and len(line) + 1 + len(word) <= room:
            line += " " + word
            continue
        if line:
            lines.append(line)
            line, room = "", width - hang
        while len(word) > room:
            lines.append(word[:room])
            word, room = word[room:], width - hang
        line = word
    lines.append(line)
    return [(" " * hang if number else "") + one.replace("\u00a0", " ") for number, one in enumerate(lines)]
