"""How a guest's phone reaches the venue's line: a link that opens the network's app with the text typed in."""

from __future__ import annotations

from urllib.parse import quote

from tablegram.errors import Invalid
from tablegram.messaging.switchboard import Switchboard
from tablegram.restaurant.venues import Venue
from tablegram.values.phone import read_phone_in


class Reaching:
    """`site` is the installation's own address."""

    def __init__(self, switchboard: Switchboard, site: str) -> None:
        self._switchboard = switchboard
        self._site = site.rstrip("/")

    async def link(self, venue: Venue, text: str) -> str | None:
        """Nothing where the venue has no line, or its number is not known yet."""
        if venue.instance_id is None:
            return None
        line = await self._switchboard.line(venue.account_id, venue.instance_id)
        if line is None:
            return None
        typed = quote(text, safe="")
        if line.instance.kind == "sandbox":
            return f"{self._site}/sandbox/?to={line.instance.config.phone_number_id}&text={typed}"
        # What the venue says of itself goes before what the network has told of the line.
        digits = _own_number(venue) or line.instance.config.phone
        return f"https://wa.me/{digits}?text={typed}" if digits else None


def _own_number(venue: Venue) -> str:
    """The venue's phone as the network's links want it, however people write it; nothing where it is no number."""
    try:
        return read_phone_in(venue.details.phone, venue.country) if venue.details.phone else ""
    except Invalid:
        return ""
