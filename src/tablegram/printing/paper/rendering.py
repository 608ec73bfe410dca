"""Makes bytes of a document, for the printer that asks and the kind that it takes."""

from __future__ import annotations

from collections.abc import Callable

from tablegram.printing.paper.document import Document
from tablegram.printing.paper.makers.epos import epos_text
from tablegram.printing.paper.makers.escpos import escpos_text
from tablegram.printing.paper.makers.html import html_page
from tablegram.printing.paper.makers.plain import plain_text
from tablegram.printing.paper.makers.star import star_text
from tablegram.printing.paper.media import EPOS, ESCPOS, HTML, PLAIN, PNG, STAR_LINE, STARPRNT
from tablegram.printing.printers.profile import Profile

_RENDERERS: dict[str, Callable[[Document, Profile], bytes]] = {
    ESCPOS: escpos_text, STARPRNT: star_text, STAR_LINE: star_text, EPOS: epos_text, PLAIN: plain_text, HTML: html_page,
}  # fmt: skip


def is_drawn(profile: Profile, media: str) -> bool:
    """Whether dots are sent instead of letters, which a child of the workshop draws."""
    return media == PNG or (profile.mode == "raster" and media in (ESCPOS, STARPRNT, STAR_LINE, EPOS))


def render(document: Document, profile: Profile, media: str) -> bytes:
    """In this process, with the letters that the printer has itself. Raises `KeyError` for what only `Press` makes."""
    return _RENDERERS[media](document, profile)
