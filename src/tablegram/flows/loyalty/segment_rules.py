"""What segments can ask about points."""

from __future__ import annotations

from sqlalchemy import ColumnElement

from tablegram.campaigns.segments.rules import Frame, Phrase, Rule, Whole
from tablegram.loyalty.ledger import MAX_POINTS
from tablegram.loyalty.store.points import with_points
from tablegram.values import Json


def _points(frame: Frame, values: Json) -> ColumnElement[bool]:
    if "at_least" in values:
        return frame.among(with_points(frame.account_id, values["at_least"]))
    return ~frame.among(with_points(frame.account_id, values["at_most"] + 1))


RULES = (
    Rule(
        "points",
        (
            Phrase("Has at least {at_least} points", "En az {at_least} puanı var", {"at_least": Whole(1, MAX_POINTS)}),
            Phrase("Has at most {at_most} points", "En çok {at_most} puanı var", {"at_most": Whole(0, MAX_POINTS)}),
        ),
        _points,
    ),
)
