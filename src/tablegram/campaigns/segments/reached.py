"""What segments can ask about campaigns and other segments."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, select

from tablegram.campaigns.segments import store
from tablegram.campaigns.segments.asking import SEGMENT
from tablegram.campaigns.segments.rules import Frame, Labels, Named, Phrase, Rule
from tablegram.storage.database import Query, Tx
from tablegram.storage.tables import campaign_sends, campaigns
from tablegram.values import Json

s = campaign_sends.c
_NAMES = Query(select(campaigns.c.id, campaigns.c.name).where(campaigns.c.account_id == bindparam("b_account")))


async def _campaigns(tx: Tx, account_id: int, language: str) -> Labels:
    return {row["id"]: row["name"] for row in await tx.all(_NAMES, {"b_account": account_id})}


async def _segments(tx: Tx, account_id: int, language: str) -> Labels:
    return {row["id"]: row["name"] for row in await tx.all(store.ALL, {"b_account": account_id})}


def _sent(account_id: int, campaign_id: str, *conditions: ColumnElement[bool]) -> Select[Any]:
    return select(s.contact_id).where(s.account_id == account_id, s.campaign_id == campaign_id, *conditions)


def _campaign(frame: Frame, values: Json) -> ColumnElement[bool]:
    if "read" in values:
        return frame.among(_sent(frame.account_id, values["read"], s.state == "read"))
    if "replied" in values:
        return frame.among(_sent(frame.account_id, values["replied"], s.replied_at.is_not(None)))
    reached = s.state.in_(["queued", "sent", "delivered", "read"])
    return frame.among(_sent(frame.account_id, values["received"], reached))


def _unfolded(frame: Frame, values: Json) -> ColumnElement[bool]:
    raise LookupError("a segment stands for its own rules")


RULES = (
    Rule(
        "campaign",
        (
            Phrase("Got the campaign {received}", "{received} kampanyasını aldı", {"received": Named(_campaigns)}),
            Phrase("Read the campaign {read}", "{read} kampanyasını okudu", {"read": Named(_campaigns)}),
            Phrase(
                "Replied to the campaign {replied}",
                "{replied} kampanyasına yanıt verdi",
                {"replied": Named(_campaigns)},
            ),
        ),
        _campaign,
    ),
    Rule(SEGMENT, (Phrase("Is in the segment {is}", "{is} segmentinde", {"is": Named(_segments)}),), _unfolded),
)
