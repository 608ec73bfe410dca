"""What segments can ask about campaigns and other segments."""

from __future__ import annotations

from tablegram.campaigns.segments.rules import Labels, Named, Sentences, Values
from tablegram.campaigns.segments.store import reached as store
from tablegram.campaigns.segments.store import saved
from tablegram.campaigns.segments.store.frame import Frame, Holds
from tablegram.campaigns.segments.tree import SEGMENT
from tablegram.storage.database import Tx

_SAY = Sentences(__file__)


async def _campaigns(tx: Tx, account_id: int, language: str) -> Labels:
    return {row["id"]: row["name"] for row in await tx.all(store.NAMES, {"b_account": account_id})}


async def _segments(tx: Tx, account_id: int, language: str) -> Labels:
    return {row["id"]: row["name"] for row in await tx.all(saved.ALL, {"b_account": account_id})}


def _campaign(frame: Frame, values: Values) -> Holds:
    if "read" in values:
        return frame.among(store.read(frame.account_id, values.text("read")))
    if "replied" in values:
        return frame.among(store.replied(frame.account_id, values.text("replied")))
    return frame.among(store.received(frame.account_id, values.text("received")))


def _unfolded(frame: Frame, values: Values) -> Holds:
    raise LookupError("a segment stands for its own rules")


RULES = (
    _SAY.rule(
        "campaign",
        (
            {"received": Named(_campaigns)},
            {"read": Named(_campaigns)},
            {"replied": Named(_campaigns)},
        ),
        _campaign,
    ),
    _SAY.rule(SEGMENT, ({"is": Named(_segments)},), _unfolded),
)
