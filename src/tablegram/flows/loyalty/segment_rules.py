"""What segments can ask about points."""

from __future__ import annotations

from tablegram.campaigns.segments.rules import Sentences, Whole
from tablegram.campaigns.segments.store.frame import Frame, Holds
from tablegram.loyalty.ledger import MAX_POINTS
from tablegram.loyalty.store.points import with_points
from tablegram.values import Json

_SAY = Sentences(__file__)


def _points(frame: Frame, values: Json) -> Holds:
    if "at_least" in values:
        return frame.among(with_points(frame.account_id, values["at_least"]))
    return ~frame.among(with_points(frame.account_id, values["at_most"] + 1))


RULES = (
    _SAY.rule(
        "points",
        (
            {"at_least": Whole(1, MAX_POINTS)},
            {"at_most": Whole(0, MAX_POINTS)},
        ),
        _points,
    ),
)
