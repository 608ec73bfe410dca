"""A QR code as a picture: PNG for printers and chats, SVG for every size."""

from __future__ import annotations

import io
from typing import Any

# A thumb, a drop of sauce and a scratch may cover a quarter of it.
_LEVEL = "q"
# Light around the code, in modules; scanners ask for four.
QUIET = 4
MAX_SCALE = 40


def _make(text: str, level: str = _LEVEL) -> Any:
    # Loaded by the first who wants a code.
    import segno

    return segno.make(text, error=level, micro=False)


def modules(link: str) -> list[list[bool]]:
    """The dark squares of the code, row by row, without the light around it."""
    return [[bool(cell) for cell in row] for row in _make(link).matrix]


def png(link: str, scale: int = 10) -> bytes:
    """`scale` is the size of a module in pixels."""
    out = io.BytesIO()
    code = _make(link)
    code.save(out, kind="png", scale=min(max(scale, 1), MAX_SCALE), border=QUIET)
    return out.getvalue()


def svg(link: str, title: str = "") -> bytes:
    out = io.BytesIO()
    code = _make(link)
    # Without a size of its own it fills whatever it is put into.
    code.save(out, kind="svg", border=QUIET, omitsize=True, light="#fff", title=title or None, svgns=True)
    return out.getvalue()


def draw_qr(text: str) -> str:
    """A QR code as an SVG that takes the colours and the size of the page around it."""
    out = io.BytesIO()
    code = _make(text, "m")
    code.save(
        out, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=4, svgclass="qr", lineclass="qr-dark"
    )  # fmt: skip
    # The colour belongs to the page's style sheet; an attribute would win over it in the dark theme.
    return out.getvalue().decode().replace(' stroke="#000"', "")
