"""Codes for the tables of a venue, laid out on A4 for printing and cutting.

The layout is reckoned here, in millimetres from the upper left corner. Whatever can draw on paper draws it (`Paper`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, Protocol

import msgspec

from tablegram.values.qr import QUIET
from tablegram.values.words import Words

PAGE_MM = (210.0, 297.0)
MARGIN_MM = 10.0
# Printers cut edges differently; nothing that matters stands closer to a cut than this.
PADDING_MM = 5.0

Size = Literal["small", "medium", "large", "page"]
# Columns and rows of cards on a page: a coaster, a card in a stand, half a page, a poster.
GRIDS: dict[Size, tuple[int, int]] = {"small": (3, 4), "medium": (2, 3), "large": (1, 2), "page": (1, 1)}

# More languages than this would leave no room for the code.
MAX_LINES = 4

WORDS = Words(__file__)


class Paper(Protocol):
    """Something that draws pages. Measures are millimetres, sizes of letters points.

    Text stands with its middle at x and its foot at y; a picture is fitted into its box, undistorted.
    """

    def add_page(self, width: float, height: float) -> None: ...

    def dashed_box(self, x: float, y: float, width: float, height: float) -> None: ...

    def squares(self, x: float, y: float, side: float, dark: Sequence[Sequence[bool]]) -> None: ...

    def picture(self, x: float, y: float, width: float, height: float, image: bytes) -> None: ...

    def text_width(self, text: str, points: float, *, bold: bool = False) -> float: ...

    def text(self, x: float, y: float, text: str, points: float, *, bold: bool = False) -> None: ...


class TableCard(msgspec.Struct, frozen=True):
    """What stands on one table."""

    label: str
    # Dark squares of the code; see `qr.modules`.
    code: list[list[bool]]


class Style(msgspec.Struct, frozen=True):
    venue: str
    # One line for each language of the venue.
    how_to: list[str]
    logo: bytes | None = None
    # What the label is called before a number: `Table 12`.
    table_word: str = ""


def draw_sheets(paper: Paper, cards: Sequence[TableCard], size: Size, style: Style) -> int:
    """Draw every card, as many on a page as the size allows; answers the number of pages."""
    columns, rows = GRIDS[size]
    width = (PAGE_MM[0] - 2 * MARGIN_MM) / columns
    height = (PAGE_MM[1] - 2 * MARGIN_MM) / rows
    pages = 0
    for number, card in enumerate(cards):
        place = number % (columns * rows)
        if place == 0:
            paper.add_page(*PAGE_MM)
            pages += 1
        row, column = divmod(place, columns)
        _draw_card(paper, card, MARGIN_MM + column * width, MARGIN_MM + row * height, width, height, style)
    return pages


def how_to_lines(languages: Sequence[str], own: dict[str, str]) -> list[str]:
    """The line under the code in each language: the venue's own words, else ours, in English where we have none."""
    english = own.get("en") or WORDS.of("en")["how_to"]
    return list(
        dict.fromkeys(
            own.get(language) or (WORDS.of(language)["how_to"] if language in WORDS.languages else english)
            for language in languages
        )
    )


def _draw_card(paper: Paper, card: TableCard, x: float, y: float, width: float, height: float, style: Style) -> None:
    """From above: logo or the venue's name, the code, the table, how it is done. The code takes what the rest leaves."""
    paper.dashed_box(x, y, width, height)
    inner_width, inner_height, middle = width - 2 * PADDING_MM, height - 2 * PADDING_MM, x + width / 2
    unit = min(width, height) / 100
    lines = style.how_to[:MAX_LINES]
    title_height, label_height = (16 if style.logo else 12) * unit, 14 * unit
    # Three lines or more are written smaller, so that the code stays large enough for a phone held over the table.
    line_height = min(6 * unit, 14 * unit / max(1, len(lines)))
    lines_height = line_height * len(lines)
    code_side = min(inner_width, inner_height - title_height - label_height - lines_height)
    top = y + PADDING_MM + (inner_height - title_height - code_side - label_height - lines_height) / 2
    if style.logo is not None:
        paper.picture(middle - inner_width / 2, top, inner_width, title_height * 0.95, style.logo)
    else:
        _write(paper, style.venue, middle, top + title_height * 0.7, inner_width, 20 * unit, bold=False)
    top += title_height
    # A scanner needs light around the code; it is part of the code's own place.
    light = code_side * QUIET / (len(card.code) + 2 * QUIET)
    paper.squares(middle - code_side / 2 + light, top + light, code_side - 2 * light, card.code)
    top += code_side
    shown = f"{style.table_word} {card.label}".strip() if card.label.isdigit() else card.label
    _write(paper, shown, middle, top + label_height * 0.75, inner_width, 26 * unit, bold=True)
    top += label_height
    for line, base in zip(lines, _bases(top, line_height), strict=False):
        _write(paper, line, middle, base, inner_width, 11 * unit * line_height / (6 * unit), bold=False)


def _bases(top: float, line_height: float) -> Iterator[float]:
    while True:
        yield top + line_height * 0.75
        top += line_height


def _write(paper: Paper, text: str, x: float, y: float, width: float, points: float, *, bold: bool) -> None:
    """As large as asked for, or as small as the width needs; long names never leave their card."""
    needed = paper.text_width(text, points, bold=bold)
    paper.text(x, y, text, points if needed <= width else points * width / needed, bold=bold)
