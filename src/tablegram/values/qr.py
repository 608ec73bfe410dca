"""A QR code as a picture: PNG for printers and chats, SVG for every size."""

from __future__ import annotations

import io

import segno

# A thumb, a drop of sauce and a scratch may cover a quarter of it.
_LEVEL = "q"
# Light around the code, in modules; scanners ask for four.
QUIET = 4
MAX_SCALE = 40


def modules(link: str) -> list[list[bool]]:
    """The dark squares of the code, row by row, without the light around it."""
    return [[bool(cell) for cell in row] for row in segno.make(link, error=_LEVEL, micro=False).matrix]


def png(link: str, scale: int = 10) -> bytes:
    """`scale` is the size of a module in pixels."""
    out = io.BytesIO()
    code = segno.make(link, error=_LEVEL, micro=False)
    code.save(out, kind="png", scale=min(max(scale, 1), MAX_SCALE), border=QUIET)
    return out.getvalue()


def svg(link: str, title: str = "") -> bytes:
    out = io.BytesIO()
    code = segno.make(link, error=_LEVEL, micro=False)
    # Without a size of its own it fills whatever it is put into.
    code.save(out, kind="svg", border=QUIET, omitsize=True, light="#fff", title=title or None, svgns=True)
    return out.getvalue()


def draw_qr(text: str) -> str:
    """A QR code as an SVG that takes the colours and the size of the page around it."""
    out = io.BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(
        out, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=4, svgclass="qr", lineclass="qr-dark"
    )  # fmt: skip
    # The colour belongs to the page's style sheet; an attribute would win over it in the dark theme.
    return out.getvalue().decode().replace(' stroke="#000"', "")
