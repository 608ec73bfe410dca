"""Draws a document in dots, so that every script comes out on every printer. It runs in a child process."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import lru_cache
from typing import Literal, NamedTuple

from PIL import Image, ImageDraw, ImageFont, ImageOps, PngImagePlugin, UnidentifiedImageError, WebPImagePlugin

from tablegram.errors import Invalid
from tablegram.printing.paper.document import Block, Columns, Document, Feed, Picture, Qr, Rule, Text
from tablegram.printing.paper.dots.faces import drawable, faces, runs
from tablegram.printing.paper.dots.jobs import Drawn, Logo, Order
from tablegram.printing.paper.setting import smaller
from tablegram.values.files.png import png_of_dots
from tablegram.values.qr import QUIET, modules

# The height of letters by how many times as wide and high they are as plain ones, in dots of 1/8 mm.
_HEIGHTS = {(1, 1): 26, (1, 2): 36, (2, 2): 50, (3, 3): 76}
_COLUMN = 12
# Dark dots are ones, as printers have them.
INK = 255
_FEED = 30
_PAD = 6
_QR_DOT = 6
# Five metres of paper: a longer ticket is a mistake.
MAX_HEIGHT = 40_000
_FORMATS = (PngImagePlugin.PngImageFile.format, WebPImagePlugin.WebPImageFile.format, "JPEG")


class _Strip(NamedTuple):
    """A part of the paper from edge to edge: how high it is, and who draws it from which height on."""

    height: int
    draw: Callable[[ImageDraw.ImageDraw, int], None]


class _Letters:
    """One style of letters."""

    def __init__(self, wide: int, high: int, bold: bool) -> None:
        self.height = _HEIGHTS.get((wide, high), 26 * max(wide, high))
        # Thin strokes fade on warm paper.
        self.bold = bold or self.height > 26
        self.line = round(self.height * 1.18)

    def width(self, text: str) -> float:
        return _width(text, self.height, self.bold)

    def write(self, canvas: ImageDraw.ImageDraw, x: float, y: int, text: str, ink: int = INK) -> float:
        base = y + round(self.height * 0.92)
        # What begins with a count stays in its order, whatever script follows.
        first = next((sign for sign in text if sign.isalnum()), "")
        for piece, face in runs(text, self.bold):
            font = face.sized(self.height, piece)
            is_shaped = font.layout_engine == ImageFont.Layout.RAQM
            canvas.text((x, base), piece, fill=ink, font=font, anchor="ls", direction=_turned(first, is_shaped))
            x += font.getlength(piece)
        return x

    def wrapped(self, text: str, room: float, hang: float = 0.0) -> list[str]:
        lines: list[str] = []
        line, used = "", 0.0
        # What is written in other letters is parted where those have blanks.
        for word in drawable(text, self.bold).split(" "):
            space = room - (hang if lines else 0.0)
            taken = used + self.width(" ") + self.width(word) if line else self.width(word)
            if taken <= space:
                line, used = (f"{line} {word}" if line else word), taken
                continue
            if line:
                lines.append(line)
            line = word
            while self.width(line) > room - hang and len(line) > 1:
                cut = self._fitting(line, room - hang)
                lines.append(line[:cut])
                line = line[cut:]
            used = self.width(line)
        return [*lines, line]

    def _fitting(self, word: str, room: float) -> int:
        low, high = 1, len(word)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.width(word[:middle]) <= room else (low, middle - 1)
        return low


@lru_cache(maxsize=4_096)
def _width(text: str, height: int, bold: bool) -> float:
    return sum(face.sized(height, piece).getlength(piece) for piece, face in runs(text, bold))


def _turned(first: str, is_shaped: bool) -> Literal["ltr"] | None:
    return "ltr" if is_shaped and first.isdigit() else None


def draw_dots(order: Order) -> list[Drawn]:
    """The work of `jobs.DOTS`: pictures, and between them what a printer does beside printing."""
    made: list[Drawn] = []
    strips: list[_Strip] = []
    for block in order.document.blocks:
        strip = _strip(block, order.dots)
        if strip is None:
            made += _sheets(strips, order.dots)
            strips = []
            # Only blocks that are not drawn have no strip.
            made.append(block)  # type: ignore[arg-type]
        else:
            strips.append(strip)
    return made + _sheets(strips, order.dots)


def draw_png(order: Order) -> bytes:
    """The work of `jobs.PICTURE`: the whole paper in one picture, black on white."""
    strips = [strip for block in order.document.blocks if (strip := _strip(block, order.dots)) is not None]
    image = _image(strips, order.dots)
    return png_of_dots(image.width, image.height, image.tobytes())


def draw_logo(logo: Logo) -> Picture:
    """The work of `jobs.LOGO`: a picture in black and white, at most half as high as the paper is wide."""
    try:
        with Image.open(io.BytesIO(logo.raw), formats=_FORMATS) as opened:
            if opened.width * opened.height > 25_000_000:
                raise Invalid.field("logo", "logo_too_large", "This picture has too many dots. Choose a smaller one.")
            shown = opened.convert("RGBA")
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError):
        raise Invalid.field("logo", "logo_unreadable", "This picture cannot be read. Choose another one.") from None
    flat = Image.new("RGB", shown.size, "white")
    flat.paste(shown, mask=shown.getchannel("A"))
    flat.thumbnail((logo.dots, logo.dots // 2))
    bits = ImageOps.invert(ImageOps.autocontrast(flat.convert("L"))).convert("1")
    return Picture(bits.width, bits.height, bits.tobytes())


def _sheets(strips: list[_Strip], dots: int) -> list[Drawn]:
    if not strips:
        return []
    image = _image(strips, dots)
    return [Picture(image.width, image.height, image.tobytes())]


def _image(strips: list[_Strip], dots: int) -> Image.Image:
    height = sum(strip.height for strip in strips)
    if height > MAX_HEIGHT:
        raise Invalid.field("ticket", "ticket_too_long", "This ticket is too long to be drawn. Split the order.")
    image = Image.new("1", (dots, max(height, 1)), 0)
    canvas = ImageDraw.Draw(image)
    top = 0
    for strip in strips:
        strip.draw(canvas, top)
        top += strip.height
    return image


def _strip(block: Block, dots: int) -> _Strip | None:
    if isinstance(block, Text):
        return _text(block, dots)
    if isinstance(block, Columns):
        return _columns(block, dots)
    if isinstance(block, Rule):
        return _rule(block, dots)
    if isinstance(block, Qr):
        return _qr(block, dots)
    if isinstance(block, Picture):
        return _picture(block, dots)
    if isinstance(block, Feed):
        return _Strip(_FEED * block.lines, lambda canvas, top: None)
    return None


def _text(block: Text, dots: int) -> _Strip:
    letters = _Letters(block.wide, block.high, block.bold)
    left = block.indent * _COLUMN
    pad = _PAD * 2 if block.box or block.reverse else 0
    room = dots - left - pad * 2
    first = block.text.split("\n")[0]
    # Where the words after the count begin, by its own letters.
    hang = letters.width(" ".join(first.split(" ")[: first[: block.hang].count(" ")]) + " ") if block.hang else 0.0
    hang = hang if hang < room / 2 else 0.0
    lines = [line for part in block.text.split("\n") for line in letters.wrapped(part, room, hang)]
    widths = [letters.width(line) for line in lines]
    around = _PAD if block.box else 4 if block.reverse else 0
    height = letters.line * len(lines) + around * 2 + (4 if block.box else 0)

    def draw(canvas: ImageDraw.ImageDraw, top: int) -> None:
        y = top + around
        widest = max(widths) + (hang if len(lines) > 1 else 0)
        if block.box:
            canvas.rectangle((left, top + 1, left + widest + pad * 2, top + height - 4), outline=INK, width=3)
        for number, (line, width) in enumerate(zip(lines, widths, strict=True)):
            x = left + pad + (hang if number else 0.0)
            if block.align != "left":
                x = (dots - width) / 2 if block.align == "center" else dots - width - pad
            if block.reverse:
                canvas.rectangle((x - pad, y - 3, x + width + pad, y + letters.line), fill=INK)
            letters.write(canvas, x, y, line, 0 if block.reverse else INK)
            if block.strike:
                _strike(canvas, x, x + width, y, letters)
            y += letters.line

    return _Strip(height, draw)


def _columns(block: Columns, dots: int) -> _Strip:
    letters = _Letters(block.wide, block.high, block.bold)
    figure = letters.width(block.right)
    taken = letters.width(block.left) + figure + _COLUMN if block.whole else figure * 1.6
    if block.wide > 1 and taken > dots:
        return _columns(smaller(block), dots)
    left = block.indent * _COLUMN
    lines = letters.wrapped(block.left, dots - left)
    alone = bool(block.right) and letters.width(lines[-1]) + figure + _COLUMN > dots - left
    height = letters.line * (len(lines) + alone)

    def draw(canvas: ImageDraw.ImageDraw, top: int) -> None:
        y = top
        for line in lines:
            end = letters.write(canvas, left, y, line)
            if block.strike:
                _strike(canvas, left, end, y, letters)
            y += letters.line
        letters.write(canvas, dots - figure, y if alone else y - letters.line, block.right)

    return _Strip(height, draw)


def _strike(canvas: ImageDraw.ImageDraw, start: float, end: float, y: int, letters: _Letters) -> None:
    middle = y + round(letters.height * 0.62)
    canvas.line((start - 4, middle, end + 4, middle), fill=INK, width=max(letters.height // 10, 3))


def _rule(block: Rule, dots: int) -> _Strip:
    def draw(canvas: ImageDraw.ImageDraw, top: int) -> None:
        canvas.rectangle((0, top + 6, dots, top + (10 if block.heavy else 7)), fill=INK)

    return _Strip(16 if block.heavy else 12, draw)


def _qr(block: Qr, dots: int) -> _Strip:
    cells = modules(block.data)
    scale = min(_QR_DOT, dots // (len(cells) + QUIET * 2))
    left = (dots - len(cells) * scale) // 2

    def draw(canvas: ImageDraw.ImageDraw, top: int) -> None:
        for y, row in enumerate(cells):
            for x, dark in enumerate(row):
                if dark:
                    at = (left + x * scale, top + (QUIET + y) * scale)
                    canvas.rectangle((*at, at[0] + scale - 1, at[1] + scale - 1), fill=INK)

    return _Strip((len(cells) + QUIET * 2) * scale, draw)


def _picture(block: Picture, dots: int) -> _Strip:
    image = Image.frombytes("1", (block.width, block.height), block.dots)
    left = max((dots - block.width) // 2, 0)
    return _Strip(block.height + _PAD, lambda canvas, top: canvas.bitmap((left, top), image, fill=INK))


# Children come from a process that has loaded this once: they find the letters open.
for _bold in (False, True):
    faces(_bold)[0].warm(_HEIGHTS.values())
draw_png(Order(Document((Text("1 × a", bold=True), Columns("a", "1"))), 384))
