"""The paper as a page: for the browser's own printing, and for a picture of it beside what is being chosen.

Sizes and places are classes of `paper.css`, because pages allow no style of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import escape

from tablegram.printing.paper.document import Block, Columns, Cut, Document, Feed, Picture, Qr, Rule, Text
from tablegram.printing.paper.letters import cleaned
from tablegram.printing.paper.setting import smaller
from tablegram.printing.printers.profile import Profile
from tablegram.values.qr import draw_qr
from tablegram.web import STATIC

_STYLE = "paper.css"


def html_page(document: Document, profile: Profile) -> bytes:
    """A page of its own, as wide as the paper, that needs no other file."""
    style = (STATIC / _STYLE).read_text()
    return (
        f'<!doctype html><html lang="{escape(document.language)}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{escape(cleaned(document.title))}</title>'
        f'<style>{style}{page_size(profile)}</style></head><body class="paper-page">'
        f"{html_paper(document, profile)}</body></html>"
    ).encode()


def page_size(profile: Profile) -> str:
    return f"@page {{ size: {58 if profile.columns == 32 else 80}mm auto; margin: 0; }}"


def html_paper(document: Document, profile: Profile) -> str:
    """One sheet, as part of a page that has the style `paper.css`."""
    inner = "".join(part for block in document.blocks for part in _block(block, profile.columns))
    return f'<article class="paper paper-{profile.columns}" lang="{escape(document.language)}">{inner}</article>'


def _block(block: Block, columns: int) -> Iterator[str]:
    if isinstance(block, Text):
        kinds = [f"paper-{name}" for name in ("bold", "reverse", "box", "strike") if getattr(block, name)]
        kinds += [f"paper-{block.align}"] if block.align != "left" else []
        kinds += [f"paper-in-{min(block.indent, 6)}"] if block.indent else []
        kinds += [f"paper-hang-{min(block.hang, 8)}"] if block.hang else []
        tag = "s" if block.strike else "span"
        yield f'<p class="{_size(block)} {" ".join(kinds)}"><{tag} dir="auto">{_lines(block.text)}</{tag}></p>'
    elif isinstance(block, Columns):
        while block.whole and block.wide > 1 and len(block.left) + 1 + len(block.right) > columns // block.wide:
            block = smaller(block)
        kinds = [_size(block), *(["paper-bold"] if block.bold else []), *(["paper-strike"] if block.strike else [])]
        yield (
            f'<p class="paper-columns {" ".join(kinds)}"><span dir="auto">{_lines(block.left)}</span>'
            f'<span class="paper-figure">{_lines(block.right)}</span></p>'
        )
    elif isinstance(block, Rule):
        yield f'<hr class="paper-rule{" paper-heavy" if block.heavy else ""}">'
    elif isinstance(block, Qr):
        yield f'<div class="paper-qr">{draw_qr(block.data)}</div>'
    elif isinstance(block, Picture):
        yield f'<div class="paper-picture">{_drawn(block)}</div>'
    elif isinstance(block, Feed):
        yield '<p class="paper-feed"></p>' * block.lines
    elif isinstance(block, Cut):
        yield '<hr class="paper-cut">'


def _size(block: Text | Columns) -> str:
    return f"paper-w{block.wide} paper-h{block.high}"


def _lines(text: str) -> str:
    return "<br>".join(escape(cleaned(line)) for line in text.split("\n"))


def _drawn(picture: Picture) -> str:
    """Dark dots that stand side by side are one stroke."""
    row = (picture.width + 7) // 8
    strokes: list[str] = []
    for y in range(picture.height):
        bits = int.from_bytes(picture.dots[y * row : (y + 1) * row]) if row else 0
        signs = f"{bits:0{row * 8}b}"[: picture.width] if row else ""
        start = -1
        for x, sign in enumerate(signs + "0"):
            if sign == "1" and start < 0:
                start = x
            elif sign == "0" and start >= 0:
                strokes.append(f"M{start} {y}h{x - start}v1H{start}z")
                start = -1
    return (
        f'<svg viewBox="0 0 {picture.width} {picture.height}" aria-hidden="true"><path d="{"".join(strokes)}"/></svg>'
    )
