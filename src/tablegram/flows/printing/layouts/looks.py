"""How a ticket is to look at this moment: its station's layout, and the venue's logo in dots."""

from __future__ import annotations

import logging
from collections import OrderedDict

from tablegram.errors import Problem
from tablegram.printing.paper.document import Picture
from tablegram.printing.paper.dots.jobs import LOGO, Logo
from tablegram.printing.paper.layouts import keeping
from tablegram.printing.paper.layouts.layout import Layout
from tablegram.printing.tickets.content import TicketContent
from tablegram.restaurant import venues
from tablegram.restaurant.pictures import keeping as pictures
from tablegram.storage.database import Database, Tx
from tablegram.workshop.ports import Workshop

log = logging.getLogger("tablegram.printing")

# Two thirds of wide paper, and nearly all of narrow paper.
LOGO_DOTS = 352
# Logos that are remembered; each takes a few kilobytes.
_MOST = 256


class Looks:
    """A logo is drawn once for each picture: a picture under an id never changes."""

    def __init__(self, db: Database, workshop: Workshop) -> None:
        self._db = db
        self._workshop = workshop
        self._drawn: OrderedDict[str, Picture] = OrderedDict()

    async def of(self, account_id: int, venue_id: str, content: TicketContent) -> tuple[Layout, Picture | None]:
        layout = await keeping.layout_for(self._db, account_id, venue_id, content)
        wants_logo = "logo" in layout.sections and content.kind != "test"
        return layout, await self._logo(account_id, venue_id) if wants_logo else None

    async def _logo(self, account_id: int, venue_id: str) -> Picture | None:
        async def look(tx: Tx) -> tuple[str, bytes | None]:
            logo_id = (await venues.find_ever(tx, account_id, venue_id)).details.logo_id or ""
            if not logo_id or logo_id in self._drawn:
                return logo_id, None
            return logo_id, await pictures.small(tx, account_id, venue_id, logo_id)

        logo_id, raw = await self._db.snapshot(look)
        if raw is not None:
            try:
                self._drawn[logo_id] = await self._workshop.do(account_id, LOGO, Logo(raw, LOGO_DOTS))
            except Problem as problem:
                # A ticket without its logo is a ticket.
                log.warning("account %s: the logo of %s cannot be printed: %s", account_id, venue_id, problem.code)
                return None
            while len(self._drawn) > _MOST:
                self._drawn.popitem(last=False)
        return self._drawn.get(logo_id)
