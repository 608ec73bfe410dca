"""Why a contact was not written to, for people and programs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.accounts.keys.keys import Caller
from tablegram.crm.merging import find_living
from tablegram.crm.own_data import unsent
from tablegram.crm.own_data.unsent import Silence
from tablegram.errors import NotFound, no_such
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import MomentText, iso

Source = Literal["campaign", "automation", "store_notice", "loyalty"]


class UnsentView(Struct, kw_only=True, frozen=True):
    """A message that a contact would have got, and why nothing was sent."""

    source: Annotated[str, Meta(description="What decided: campaign, automation, store_notice or loyalty.")]
    source_id: Annotated[
        str, Meta(description="The campaign, the automation, the notice or the gift card; of points, the contact.")
    ]
    name: Annotated[
        str,
        Meta(
            description="The campaign's or automation's name, the shop's order number, how many points expire, or the end of a gift card's code."
        ),
    ]
    kind: Annotated[
        str,
        Meta(
            description="campaign, message, feedback, points_expire, gift_expires, gift, or the kind of the shop's notification."
        ),
    ]
    reason: Annotated[str, Meta(description="By a stable code.", examples=["no_consent"])]
    at: MomentText


class UnsentPage(Struct, kw_only=True, frozen=True):
    """Newest first."""

    data: list[UnsentView]
    next_cursor: str | None


class UnsentDesk:
    """`silences` grow while the parts are built; each is shown to who may see its source."""

    def __init__(self, db: Database, silences: Iterable[Silence]) -> None:
        self._db = db
        self._silences = silences

    async def of_contact(
        self, caller: Caller, contact_id: str, *, source: str = "", reason: str = "", limit: int = 50,
        cursor: str | None = None,
    ) -> UnsentPage:  # fmt: skip
        caller.require("contacts:read")
        asked = [
            one for one in self._silences if source in ("", one.source) and (not one.scope or caller.has(one.scope))
        ]

        async def look(tx: Tx) -> UnsentPage:
            contact = await find_living(tx, caller.account_id, contact_id)
            if contact is None:
                raise NotFound(no_such("contact"), code="contact_unknown")
            rows, more = await unsent.page(tx, asked, caller.account_id, contact["id"], reason, limit, cursor)
            return UnsentPage(
                data=[
                    UnsentView(
                        source=source, source_id=row.source_id, name=row.name, kind=row.kind, reason=row.reason,
                        at=iso(row.at),
                    )
                    for source, row in rows
                ],
                next_cursor=more,
            )  # fmt: skip

        return await self._db.snapshot(look)
