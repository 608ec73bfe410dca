"""Who bought what in the demo's shop, who left a cart, and who filled in the form."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from tablegram.stores.notifications.kinds import Kind
from tablegram.values.clock import DAY_MS, HOUR_MS, MINUTE_MS, iso

SHOP = "Pamuk Ev"
FORM = "İletişim formu"
DAYS_MS = 10 * DAY_MS
SWITCHED_ON: tuple[tuple[Kind, int], ...] = (
    ("order_confirmation", 1),
    ("shipping", 1),
    ("abandoned_cart", 1),
    ("abandoned_cart", 2),
    ("form_reply", 1),
)
# When something that a delivery began may be due: notices at once, reminders of carts after an hour and a day.
LOOKS_MIN = (1, 61, 61 + 24 * 60 + 1)

# First name, last name, phone as they wrote it, whether they agreed to be reminded, language.
_PEOPLE: tuple[tuple[str, str, str, bool, str], ...] = (
    ("Defne", "Aksoy", "0555 000 40 01", True, "tr_TR"),
    ("Emre", "Şahin", "0555 000 40 02", True, "tr_TR"),
    ("Zeynep", "Kurt", "+90 555 000 40 03", False, "tr_TR"),
    ("Lena", "Vogel", "+49 1555 0004004", True, "en_GB"),
    ("Mustafa", "Er", "", True, "tr_TR"),
    ("Elif", "Doğan", "0555 000 40 06", True, "tr_TR"),
    ("James", "Reed", "+44 7700 900407", True, "en_GB"),
    ("Kaan", "Yalçın", "0555 000 40 10", True, "tr_TR"),
    ("Derya", "Uçar", "0555 000 40 11", False, "tr_TR"),
)
_GOODS: tuple[tuple[str, int], ...] = (
    ("Havlu seti", 890),
    ("Keten nevresim", 2450),
    ("Bornoz", 1290),
    ("Peştemal", 420),
)


class _Visit(NamedTuple):
    """A cart that was begun so many hours ago, and what became of it so many hours later."""

    hours_ago: float
    who: int
    what: int
    end: str = ""
    after_h: float = 0.0


_VISITS = (
    _Visit(214, 0, 0, "order", 0.3),
    _Visit(196, 7, 1),
    _Visit(170, 5, 2, "order", 3),
    _Visit(146, 8, 3),
    _Visit(122, 3, 1, "order", 26),
    _Visit(99, 6, 0, "order", 0.2),
    _Visit(75, 0, 3, "order", 5),
    _Visit(52, 4, 2, "delete", 2),
    _Visit(28, 1, 0, "order", 2),
    _Visit(5, 5, 1),
    _Visit(0.4, 6, 2),
)
# Bought without a cart that we were told of: hours ago, who, what, and how each went on (hours later, status).
_ORDERS: tuple[tuple[float, int, int, tuple[tuple[float, str], ...]], ...] = (
    (205, 6, 3, ((20, "completed"),)),
    (150, 4, 0, ((22, "completed"),)),
    (81, 2, 1, ((4, "cancelled"),)),
    (33, 3, 2, ((19, "completed"),)),
    (3, 0, 0, ()),
)
_LETTERS = (
    (90, {"Ad": "Ece Tan", "Telefon": "0555 000 40 08", "Mesaj": "Havluların mavisi var mı?"}),
    (40, {"Ad": "Baran", "E-posta": "baran@example.com", "Mesaj": "Toptan fiyat alabilir miyim?"}),
    (7, {"Ad": "Seda Kılıç", "Telefon": "0555 000 40 09", "Mesaj": "Mağazanız pazar günü açık mı?"}),
)

Delivered = tuple[int, bool, dict[str, str], bytes]


def deliveries(now: int) -> list[Delivered]:
    """Everything that came: when, whether from the form, its headers and its body; oldest first."""
    told: list[Delivered] = []
    for number, visit in enumerate(_VISITS):
        at, token = now - int(visit.hours_ago * HOUR_MS), f"cart-{number + 1}"
        cart = {
            "token": token,
            "date_modified_gmt": _gmt(at),
            "recover_url": f"https://shop.example/cart/{token}",
            **_bought(visit.who, visit.what),
        }
        told.append(_shop("checkout.created", cart, at))
        end = at + int(visit.after_h * HOUR_MS)
        if visit.end == "order":
            told += _order(2100 + number, visit.who, visit.what, end, checkout_token=token)
        elif visit.end:
            told.append(_shop("checkout.deleted", {"token": token, "date_modified_gmt": _gmt(end)}, end))
    for number, (hours_ago, who, what, later) in enumerate(_ORDERS):
        told += _order(2200 + number, who, what, now - int(hours_ago * HOUR_MS), later=later)
    for hours_ago, fields in _LETTERS:
        at = now - hours_ago * HOUR_MS
        told.append((at, True, {"content-type": "application/json"}, msgspec.json.encode(fields)))
    at = now - 60 * HOUR_MS
    told.append(_shop("product.updated", {"id": 12, "name": _GOODS[0][0]}, at))
    told.append((at + HOUR_MS, False, _headers("order.updated", at), b'{"id": 2203, "status": "proc'))
    return sorted(told, key=lambda one: one[0])


def _order(
    number: int, who: int, what: int, at: int, *, later: tuple[tuple[float, str], ...] = (), **more: Any
) -> list[Delivered]:
    order = {"id": number, "number": str(number), "date_created_gmt": _gmt(at), **_bought(who, what), **more}
    steps = [("order.created", at, "processing")]
    steps += [("order.updated", at + int(hours * HOUR_MS), status) for hours, status in later]
    return [
        _shop(topic, {**order, "status": status, "date_modified_gmt": _gmt(when)}, when + MINUTE_MS)
        for topic, when, status in steps
    ]


def _bought(who: int, what: int) -> dict[str, Any]:
    first, last, phone, consents, locale = _PEOPLE[who]
    name, price = _GOODS[what]
    total = f"{price}.00"
    email = f"{first.lower()}@example.com".encode("ascii", "ignore").decode()
    return {
        "currency": "TRY",
        "total": total,
        "locale": locale,
        "marketing_consent": consents,
        "billing": {"first_name": first, "last_name": last, "phone": phone, "email": email},
        "line_items": [{"name": name, "quantity": 1, "total": total}],
    }


def _shop(topic: str, document: dict[str, Any], at: int) -> Delivered:
    return at, False, _headers(topic, at), msgspec.json.encode(document)


def _headers(topic: str, at: int) -> dict[str, str]:
    return {"content-type": "application/json", "x-wc-webhook-topic": topic, "x-wc-webhook-delivery-id": str(at)}


def _gmt(at: int) -> str:
    return iso(at)[:19]
