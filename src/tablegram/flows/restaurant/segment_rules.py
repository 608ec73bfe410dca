"""What segments can ask about orders."""

from __future__ import annotations

from tablegram.campaigns.segments.rules import (
    DAYS,
    Amount,
    Currency,
    Gap,
    Labelling,
    Labels,
    Named,
    Rule,
    Sentences,
    Values,
    Whole,
    Yes,
)
from tablegram.campaigns.segments.store.frame import Frame, Holds
from tablegram.restaurant import venues
from tablegram.restaurant.figures.model import Kind
from tablegram.restaurant.figures.store import segments as asking
from tablegram.restaurant.store import menus as store
from tablegram.storage.database import Tx

_TIMES, _MOST_TIMES = Whole(1, 100_000), Whole(0, 100_000)
_CURRENCY = Currency()
_SAY = Sentences(__file__)
_TYPE = _SAY.choice("types", "dine_in", "takeaway", "delivery")
_CLASS = _SAY.choice("classes", *asking.CLASSES)


async def _dishes(tx: Tx, account_id: int, language: str) -> Labels:
    return {row["id"]: row["name"] for row in await tx.all(store.NAMES, {"b_account": account_id})}


async def _categories(tx: Tx, account_id: int, language: str) -> Labels:
    return {row["id"]: row["name"] for row in await tx.all(store.CATEGORY_NAMES, {"b_account": account_id})}


async def _venues(tx: Tx, account_id: int, language: str) -> Labels:
    return {venue.id: venue.name for venue in await venues.every(tx, account_id)}


def _last(frame: Frame, values: Values) -> Holds:
    account_id = frame.account_id
    if "within_days" in values:
        return frame.among(asking.ordered_since(account_id, frame.since(values.whole("within_days"))))
    if "not_within_days" in values:
        return frame.among(asking.last_before(account_id, frame.since(values.whole("not_within_days"))))
    return ~frame.among(asking.ordered(account_id))


def _often(frame: Frame, times: int, values: Values) -> Holds:
    if "within_days" in values:
        return frame.among(asking.often_since(frame.account_id, times, frame.since(values.whole("within_days"))))
    return frame.among(asking.often(frame.account_id, times))


def _orders(frame: Frame, values: Values) -> Holds:
    if "at_most" in values:
        return ~_often(frame, values.whole("at_most") + 1, values)
    return _often(frame, values.whole("at_least"), values)


def _worth(frame: Frame, amount: int, values: Values) -> Holds:
    account_id, currency = frame.account_id, values.text("currency")
    if "within_days" in values:
        return frame.among(asking.spent_since(account_id, currency, amount, frame.since(values.whole("within_days"))))
    return frame.among(asking.spent(account_id, currency, amount))


def _spent(frame: Frame, values: Values) -> Holds:
    if "at_most" in values:
        return ~_worth(frame, values.whole("at_most") + 1, values)
    return _worth(frame, values.whole("at_least"), values)


def _class(frame: Frame, values: Values) -> Holds:
    since = {days: frame.since(days) for days in (asking.RECENT, asking.FADING, asking.GONE)}
    name = next(one for one in asking.CLASSES if one == values.text("is"))
    return frame.among(asking.of_class(frame.account_id, name, since))


def _tallied(name: str, kind: Kind, gap: Gap) -> Rule:
    """Two sentences about one thing: it was ordered at all, or nothing of its kind more often."""

    def condition(frame: Frame, values: Values) -> Holds:
        is_top = "favourite" in values
        key = values.text("favourite" if is_top else "ordered")
        return frame.among(asking.tallied(frame.account_id, kind, key, is_top=is_top))

    return _SAY.rule(name, ({"ordered": gap}, {"favourite": gap}), condition)


def _named(labelling: Labelling) -> Named:
    return Named(labelling)


RULES = (
    _SAY.rule(
        "last_order",
        (
            {"not_within_days": DAYS},
            {"within_days": DAYS},
            {"never": Yes()},
        ),
        _last,
    ),
    _SAY.rule(
        "orders",
        (
            {"at_least": _TIMES},
            {"at_most": _MOST_TIMES},
            {"at_least": _TIMES, "within_days": DAYS},
            {"at_most": _MOST_TIMES, "within_days": DAYS},
        ),
        _orders,
    ),
    _SAY.rule(
        "spent",
        (
            {"at_least": Amount(), "currency": _CURRENCY},
            {"at_most": Amount(), "currency": _CURRENCY},
            {"at_least": Amount(), "currency": _CURRENCY, "within_days": DAYS},
            {"at_most": Amount(), "currency": _CURRENCY, "within_days": DAYS},
        ),
        _spent,
    ),
    _SAY.rule("customer_class", ({"is": _CLASS},), _class),
    _tallied("dish", "item", _named(_dishes)),
    _tallied("category", "category", _named(_categories)),
    _tallied("order_type", "order_type", _TYPE),
    _tallied("venue", "venue", _named(_venues)),
)
