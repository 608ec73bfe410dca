"""What segments can ask about orders in shops."""

from __future__ import annotations

from tablegram.campaigns.segments.rules import DAYS, Choice, Labels, Named, Sentences, Values, Whole
from tablegram.campaigns.segments.store.frame import Frame, Holds
from tablegram.storage.database import Tx
from tablegram.stores.kinds import KINDS
from tablegram.stores.people import shop_names
from tablegram.stores.store import segments as asking

_SAY = Sentences(__file__)
# A platform is called the same in every language.
_PLATFORM = Choice(tuple(KINDS), lambda language, name: name.capitalize())


async def _shops(tx: Tx, account_id: int, language: str) -> Labels:
    return await shop_names(tx, account_id)


def _bought(frame: Frame, values: Values) -> Holds:
    wanted = asking.bought(
        frame.account_id,
        source_id=values.text("shop") if "shop" in values else "",
        platform=values.text("platform") if "platform" in values else "",
        since=frame.since(values.whole("within_days")) if "within_days" in values else 0,
        times=values.whole("at_least") if "at_least" in values else 1,
    )
    return frame.among(wanted)


RULES = (
    _SAY.rule(
        "shop_order",
        (
            {"shop": Named(_shops)},
            {"platform": _PLATFORM},
            {"within_days": DAYS},
            {"at_least": Whole(1, 100_000)},
        ),
        _bought,
    ),
)
