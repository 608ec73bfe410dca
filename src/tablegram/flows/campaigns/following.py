"""Somebody follows a short link: where it leads, and that they did."""

from __future__ import annotations

import re
from urllib.parse import quote

from tablegram.campaigns.store import links as store
from tablegram.errors import NotFound
from tablegram.flows.campaigns.sender import CODE_LENGTH
from tablegram.storage.database import Database
from tablegram.values.clock import Clock

_CODE = re.compile(rf"([a-z2-9]{{{CODE_LENGTH}}})([1-9])", re.ASCII)
# What an address in a header may hold as it is.
_PLAIN = "!#$%&'()*+,/:;=?@[]~-._"


class Following:
    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    async def follow(self, code: str, *, counts: bool) -> str:
        """The address behind a code. `counts`: a person has followed it, and no program that looks at links."""
        found = _CODE.fullmatch(code)
        row = None
        if found is not None:
            row = await self._db.first(store.BEHIND, {"b_code": found[1], "b_number": int(found[2])})
        if found is None or row is None:
            raise NotFound("There is no such link.", code="link_unknown")
        if counts:
            now = self._clock.now_ms()
            who = {name: row[name] for name in ("account_id", "campaign_id", "contact_id")}
            click = {**who, "number": int(found[2]), "clicks": 1, "first_at": now, "last_at": now}
            await self._db.put((store.CLICKED, click))
        return quote(row["url"], safe=_PLAIN)
