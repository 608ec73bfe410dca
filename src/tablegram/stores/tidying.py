"""What strangers wrote, made fit to be kept: no signs that a store or a line cannot hold, nothing endless."""

from __future__ import annotations

import msgspec

from tablegram.stores.ports import Good, ShopCustomer, StoreEvent, Tracking

MAX_GOODS = 100
MAX_FIELDS = 200
MAX_PHONES = 10
_SHORT, _LINE, _LONG = 64, 300, 2_000
# Up to here both databases count, and so does every JSON reader.
_MOST = 2**53

replace = msgspec.structs.replace


def tidy(text: str, most: int = _LINE) -> str:
    """Without control signs apart from line ends and tabs, and without halves of characters."""
    cut = text[:most]
    if cut.isascii() and cut.isprintable():
        return cut
    whole = cut.encode("utf-8", "ignore").decode()
    return "".join(sign for sign in whole if sign >= " " or sign in "\n\t").replace("\x7f", "")


def tidy_event(event: StoreEvent) -> StoreEvent:
    return replace(
        event,
        reference=tidy(event.reference, 200),
        number=tidy(event.number, _SHORT),
        checkout=tidy(event.checkout, 200),
        person=_person(event.person),
        goods=tuple(_good(one) for one in event.goods[:MAX_GOODS]),
        amount=_whole(event.amount),
        at=event.at if 0 <= event.at < _MOST else 0,
        currency=tidy(event.currency, 3),
        status=tidy(event.status, _SHORT),
        url=tidy(event.url, _LONG),
        tracking=_tracking(event.tracking),
        reason=tidy(event.reason),
        service=tidy(event.service, _SHORT),
        address=tidy(event.address, 500),
        due_at=event.due_at if 0 <= event.due_at < _MOST else 0,
        note=tidy(event.note, _LONG),
        title=tidy(event.title),
        fields=tuple((tidy(name, 200), tidy(value, _LONG)) for name, value in event.fields[:MAX_FIELDS]),
    )


def _person(person: ShopCustomer) -> ShopCustomer:
    return replace(
        person,
        name=tidy(person.name, 200).strip(),
        phones=tuple(tidy(one, _SHORT) for one in person.phones[:MAX_PHONES]),
        email=tidy(person.email, 254).strip(),
        language=tidy(person.language, 2),
        country=tidy(person.country, 2),
    )


def _good(good: Good) -> Good:
    quantity = good.quantity if 0 <= good.quantity < _MOST else 0
    return replace(
        good,
        name=tidy(good.name),
        quantity=quantity,
        amount=_whole(good.amount),
        options=tuple(tidy(one) for one in good.options[:MAX_GOODS]),
        note=tidy(good.note),
    )


def _tracking(tracking: Tracking | None) -> Tracking | None:
    if tracking is None:
        return None
    return Tracking(
        carrier=tidy(tracking.carrier, _SHORT), number=tidy(tracking.number, 100), url=tidy(tracking.url, _LONG)
    )


def _whole(amount: int | None) -> int | None:
    return amount if amount is not None and abs(amount) < _MOST else None
