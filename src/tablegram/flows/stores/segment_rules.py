"""What segments can ask about orders in shops."""

from __future__ import annotations

from sqlalchemy import ColumnElement

from tablegram.campaigns.segments.rules import DAYS, Choice, Frame, Labels, Named, Phrase, Rule, Whole
from tablegram.storage.database import Tx
from tablegram.stores import segments as asking
from tablegram.stores.kinds import KINDS
from tablegram.stores.people import shop_names
from tablegram.values import Json

_PLATFORM = Choice({name: {"en": name.capitalize(), "tr": name.capitalize()} for name in KINDS})


async def _shops(tx: Tx, account_id: int, language: str) -> Labels:
    return await shop_names(tx, account_id)


def _bought(frame: Frame, values: Json) -> ColumnElement[bool]:
    wanted = asking.bought(
        frame.account_id,
        source_id=values.get("shop", ""),
        platform=values.get("platform", ""),
        since=frame.since(values["within_days"]) if "within_days" in values else 0,
        times=values.get("at_least", 1),
    )
    return frame.among(wanted)


RULES = (
    Rule(
        "shop_order",
        (
            Phrase("Bought in the shop {shop}", "{shop} mağazasından alışveriş yaptı", {"shop": Named(_shops)}),
            Phrase("Bought by {platform}", "{platform} üzerinden alışveriş yaptı", {"platform": _PLATFORM}),
            Phrase(
                "Bought in a shop in the last {within_days} days", "Son {within_days} gün içinde mağazadan alışveriş yaptı",
                {"within_days": DAYS},
            ),
            Phrase(
                "Bought in shops at least {at_least} times", "Mağazalardan en az {at_least} kez alışveriş yaptı",
                {"at_least": Whole(1, 100_000)},
            ),
        ),
        _bought,
    ),
)  # fmt: skip
