"""What segments can ask about orders."""

from __future__ import annotations

from sqlalchemy import ColumnElement

from tablegram.campaigns.segments.rules import (
    DAYS,
    Amount,
    Choice,
    Currency,
    Frame,
    Labelling,
    Labels,
    Named,
    Phrase,
    Rule,
    Whole,
    Yes,
)
from tablegram.restaurant import venues
from tablegram.restaurant.figures import asking
from tablegram.restaurant.figures.model import Kind
from tablegram.restaurant.store import menus as store
from tablegram.storage.database import Tx
from tablegram.values import Json

_TIMES, _MOST_TIMES = Whole(1, 100_000), Whole(0, 100_000)
_CURRENCY = Currency()
_TYPE = Choice(
    {
        "dine_in": {"en": "at the table", "tr": "masada"},
        "takeaway": {"en": "to take away", "tr": "gel-al"},
        "delivery": {"en": "for delivery", "tr": "adrese teslim"},
    }
)
_CLASS = Choice(
    {
        "champions": {"en": "Champions: lately, and often or for much", "tr": "Şampiyonlar: yakın zamanda, sık gelen ya da çok harcayan"},
        "loyal": {"en": "Loyal: come again and again", "tr": "Sadık: tekrar tekrar gelenler"},
        "promising": {"en": "Promising: second or third order", "tr": "Umut veren: ikinci veya üçüncü sipariş"},
        "new": {"en": "New: one order so far", "tr": "Yeni: şimdilik tek sipariş"},
        "at_risk": {"en": "At risk: came often or spent much, not for 3 months", "tr": "Riskli: sık gelir ya da çok harcardı, 3 aydır yok"},
        "slipping": {"en": "Slipping away: came rarely, not for 3 months", "tr": "Uzaklaşan: seyrek gelirdi, 3 aydır yok"},
        "lost": {"en": "Lost: no order for 6 months", "tr": "Kayıp: 6 aydır sipariş yok"},
    }
)  # fmt: skip


async def _dishes(tx: Tx, account_id: int, language: str) -> Labels:
    return {row["id"]: row["name"] for row in await tx.all(store.NAMES, {"b_account": account_id})}


async def _categories(tx: Tx, account_id: int, language: str) -> Labels:
    return {row["id"]: row["name"] for row in await tx.all(store.CATEGORY_NAMES, {"b_account": account_id})}


async def _venues(tx: Tx, account_id: int, language: str) -> Labels:
    return {venue.id: venue.name for venue in await venues.every(tx, account_id)}


def _last(frame: Frame, values: Json) -> ColumnElement[bool]:
    account_id = frame.account_id
    if "within_days" in values:
        return frame.among(asking.ordered_since(account_id, frame.since(values["within_days"])))
    if "not_within_days" in values:
        return frame.among(asking.last_before(account_id, frame.since(values["not_within_days"])))
    return ~frame.among(asking.ordered(account_id))


def _often(frame: Frame, times: int, values: Json) -> ColumnElement[bool]:
    if "within_days" in values:
        return frame.among(asking.often_since(frame.account_id, times, frame.since(values["within_days"])))
    return frame.among(asking.often(frame.account_id, times))


def _orders(frame: Frame, values: Json) -> ColumnElement[bool]:
    if "at_most" in values:
        return ~_often(frame, values["at_most"] + 1, values)
    return _often(frame, values["at_least"], values)


def _worth(frame: Frame, amount: int, values: Json) -> ColumnElement[bool]:
    account_id, currency = frame.account_id, values["currency"]
    if "within_days" in values:
        return frame.among(asking.spent_since(account_id, currency, amount, frame.since(values["within_days"])))
    return frame.among(asking.spent(account_id, currency, amount))


def _spent(frame: Frame, values: Json) -> ColumnElement[bool]:
    if "at_most" in values:
        return ~_worth(frame, values["at_most"] + 1, values)
    return _worth(frame, values["at_least"], values)


def _class(frame: Frame, values: Json) -> ColumnElement[bool]:
    since = {days: frame.since(days) for days in (asking.RECENT, asking.FADING, asking.GONE)}
    return frame.among(asking.of_class(frame.account_id, values["is"], since))


def _tallied(name: str, kind: Kind, gap: Named | Choice, ordered: tuple[str, str], mostly: tuple[str, str]) -> Rule:
    """Two sentences about one thing: it was ordered at all, or nothing of its kind more often."""

    def condition(frame: Frame, values: Json) -> ColumnElement[bool]:
        is_top = "favourite" in values
        key = values["favourite" if is_top else "ordered"]
        return frame.among(asking.tallied(frame.account_id, kind, key, is_top=is_top))

    return Rule(name, (Phrase(*ordered, {"ordered": gap}), Phrase(*mostly, {"favourite": gap})), condition)


def _named(labelling: Labelling) -> Named:
    return Named(labelling)


RULES = (
    Rule(
        "last_order",
        (
            Phrase(
                "Has not ordered for {not_within_days} days", "{not_within_days} gündür sipariş vermedi",
                {"not_within_days": DAYS},
            ),
            Phrase(
                "Ordered in the last {within_days} days", "Son {within_days} gün içinde sipariş verdi",
                {"within_days": DAYS},
            ),
            Phrase("Has never ordered", "Hiç sipariş vermedi", {"never": Yes()}),
        ),
        _last,
    ),
    Rule(
        "orders",
        (
            Phrase("Ordered at least {at_least} times", "En az {at_least} kez sipariş verdi", {"at_least": _TIMES}),
            Phrase(
                "Ordered at most {at_most} times", "En çok {at_most} kez sipariş verdi", {"at_most": _MOST_TIMES}
            ),
            Phrase(
                "Ordered at least {at_least} times in the last {within_days} days",
                "Son {within_days} günde en az {at_least} kez sipariş verdi", {"at_least": _TIMES, "within_days": DAYS},
            ),
            Phrase(
                "Ordered at most {at_most} times in the last {within_days} days",
                "Son {within_days} günde en çok {at_most} kez sipariş verdi",
                {"at_most": _MOST_TIMES, "within_days": DAYS},
            ),
        ),
        _orders,
    ),
    Rule(
        "spent",
        (
            Phrase(
                "Spent at least {at_least} ({currency})", "En az {at_least} harcadı ({currency})",
                {"at_least": Amount(), "currency": _CURRENCY},
            ),
            Phrase(
                "Spent at most {at_most} ({currency})", "En çok {at_most} harcadı ({currency})",
                {"at_most": Amount(), "currency": _CURRENCY},
            ),
            Phrase(
                "Spent at least {at_least} ({currency}) in the last {within_days} days",
                "Son {within_days} günde en az {at_least} harcadı ({currency})",
                {"at_least": Amount(), "currency": _CURRENCY, "within_days": DAYS},
            ),
            Phrase(
                "Spent at most {at_most} ({currency}) in the last {within_days} days",
                "Son {within_days} günde en çok {at_most} harcadı ({currency})",
                {"at_most": Amount(), "currency": _CURRENCY, "within_days": DAYS},
            ),
        ),
        _spent,
    ),
    Rule("customer_class", (Phrase("Class: {is}", "Sınıf: {is}", {"is": _CLASS}),), _class),
    _tallied(
        "dish", "item", _named(_dishes), ("Has ordered {ordered}", "{ordered} sipariş etti"),
        ("Orders {favourite} most", "En çok {favourite} sipariş ediyor"),
    ),
    _tallied(
        "category", "category", _named(_categories),
        ("Has ordered something of {ordered}", "{ordered} kategorisinden sipariş etti"),
        ("Orders most of {favourite}", "En çok {favourite} kategorisinden sipariş ediyor"),
    ),
    _tallied(
        "order_type", "order_type", _TYPE, ("Has ordered {ordered}", "Sipariş verdi: {ordered}"),
        ("Orders {favourite} most", "En çok {favourite} sipariş veriyor"),
    ),
    _tallied(
        "venue", "venue", _named(_venues), ("Has ordered at {ordered}", "{ordered} şubesinden sipariş verdi"),
        ("Orders at {favourite} most", "En çok {favourite} şubesinden sipariş veriyor"),
    ),
)  # fmt: skip
