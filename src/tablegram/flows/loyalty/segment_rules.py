"""What segments can ask about points."""

from __future__ import annotations

from tablegram.campaigns.segments.rules import Sentences, Values, Whole
from tablegram.campaigns.segments.store.frame import Frame, Holds
from tablegram.loyalty.ledger import MAX_POINTS
from tablegram.loyalty.store.points import with_points

_SAY = Sentences(__file__)


def _points(frame: Frame, values: Values) -> Holds:
    if "at_least" in values:
        return frame.among(with_points(frame.account_id, values.whole("at_least")))
    return ~frame.among(with_points(frame.account_id, values.whole("at_most") + 1))


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
