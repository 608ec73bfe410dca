"""The press: bytes of a document, drawn by a child where the printer or the kind asks for dots."""

from __future__ import annotations

import logging

from tablegram.errors import Problem
from tablegram.printing.paper.document import Document
from tablegram.printing.paper.dots.jobs import DOTS, PICTURE, Order
from tablegram.printing.paper.makers.epos import epos_pictures
from tablegram.printing.paper.makers.escpos import escpos_pictures
from tablegram.printing.paper.makers.star import line_pictures, starprnt_pictures
from tablegram.printing.paper.media import EPOS, ESCPOS, PNG, STAR_LINE, STARPRNT
from tablegram.printing.paper.rendering import is_drawn, render
from tablegram.printing.printers.profile import Profile
from tablegram.workshop.ports import Workshop

log = logging.getLogger("tablegram.printing")

_PICTURES = {ESCPOS: escpos_pictures, STARPRNT: starprnt_pictures, STAR_LINE: line_pictures, EPOS: epos_pictures}


class Press:
    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop

    async def render(self, account_id: int, document: Document, profile: Profile, media: str) -> bytes:
        """Every kind of `media`. Raises `KeyError` for another, and for a PNG what the workshop raises."""
        if not is_drawn(profile, media):
            return render(document, profile, media)
        order = Order(document, profile.dots)
        if media == PNG:
            return await self._workshop.do(account_id, PICTURE, order)
        try:
            pieces = await self._workshop.do(account_id, DOTS, order)
        except Problem as problem:
            # In a rush, or with nobody to draw: a ticket in the printer's own letters is better than none.
            log.warning("account %s: a ticket is printed as text, not drawn: %s", account_id, problem.code)
            return render(document, profile, media)
        return _PICTURES[media](tuple(pieces), profile)
