"""Paper that becomes a PDF: drawn by fpdf2, with letters that go along inside the file."""

from __future__ import annotations

import io
import logging
from collections.abc import Sequence
from importlib.resources import as_file, files

from fpdf import FPDF
from PIL import Image

from tablegram.restaurant.codes.code_sheets import TableCard, draw_sheets
from tablegram.restaurant.codes.printing import Sheets
from tablegram.values.qr import modules

# It tells of every table of a font that it makes smaller; nobody reads a log for that.
logging.getLogger("fontTools").setLevel(logging.WARNING)

_FAMILY = "Roboto"
_FACES = {"": "Roboto-Regular.ttf", "B": "Roboto-Bold.ttf"}
_GREY = 150
_DASH_MM, _GAP_MM = 2.0, 2.0


def print_sheets(sheets: Sheets) -> bytes:
    """The work of `printing.PRINT`."""
    paper = PdfPaper(sheets.style.venue)
    cards = [TableCard(label, modules(link)) for label, link in sheets.tables]
    draw_sheets(paper, cards, sheets.size, sheets.style)
    return paper.finish()


class PdfPaper:
    """Implements `code_sheets.Paper`. One for each document; it is not shared between threads."""

    def __init__(self, title: str) -> None:
        self._pdf = FPDF(unit="mm", format="A4")
        self._pdf.set_auto_page_break(False)
        self._pdf.set_margin(0)
        self._pdf.c_margin = 0
        self._pdf.set_title(title)
        for style, name in _FACES.items():
            with as_file(files("font_roboto").joinpath("files", name)) as path:
                self._pdf.add_font(_FAMILY, style, path)

    def add_page(self, width: float, height: float) -> None:
        self._pdf.add_page(format=(width, height))

    def dashed_box(self, x: float, y: float, width: float, height: float) -> None:
        self._pdf.set_draw_color(_GREY)
        self._pdf.set_line_width(0.1)
        self._pdf.set_dash_pattern(_DASH_MM, _GAP_MM)
        self._pdf.rect(x, y, width, height)
        self._pdf.set_dash_pattern()

    def squares(self, x: float, y: float, side: float, dark: Sequence[Sequence[bool]]) -> None:
        """Squares that stand side by side are one bar, so that no printer leaves hairs of light between them."""
        self._pdf.set_fill_color(0)
        step = side / len(dark)
        for number, row in enumerate(dark):
            start = None
            for place, cell in enumerate([*row, False]):
                if cell and start is None:
                    start = place
                elif not cell and start is not None:
                    # A hair higher than its row, for the same reason.
                    self._pdf.rect(x + start * step, y + number * step, (place - start) * step, step * 1.01, style="F")
                    start = None

    def picture(self, x: float, y: float, width: float, height: float, image: bytes) -> None:
        with Image.open(io.BytesIO(image)) as opened:
            # What shows through is white on paper.
            shown = opened.convert("RGBA")
            flat = Image.new("RGB", shown.size, "white")
            flat.paste(shown, mask=shown.getchannel("A"))
        scale = min(width / flat.width, height / flat.height)
        fitted_width, fitted_height = flat.width * scale, flat.height * scale
        left, top = x + (width - fitted_width) / 2, y + (height - fitted_height) / 2
        self._pdf.image(flat, left, top, fitted_width, fitted_height)

    def text_width(self, text: str, points: float, *, bold: bool = False) -> float:
        self._pdf.set_font(_FAMILY, "B" if bold else "", points)
        return float(self._pdf.get_string_width(text))

    def text(self, x: float, y: float, text: str, points: float, *, bold: bool = False) -> None:
        self._pdf.set_text_color(0)
        self._pdf.text(x - self.text_width(text, points, bold=bold) / 2, y, text)

    def finish(self) -> bytes:
        return bytes(self._pdf.output())
