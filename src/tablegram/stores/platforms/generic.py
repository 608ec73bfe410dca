"""Any shop that can post signed JSON. Where each fact lies is said by a mapping, made by clicking on a sample.

Without a mapping each fact lies at the top of the body under our own name for it.
"""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Mapping
from typing import Any, cast, get_args

from tablegram.stores.platforms import picking as pick
from tablegram.stores.platforms.decoding import digest_of, object_in
from tablegram.stores.platforms.paths import at
from tablegram.stores.platforms.proving import is_signed, needed
from tablegram.stores.ports import EventKind, Good, Setup, ShopCustomer, StoreEvent, Tracking, Unreadable, Unverified
from tablegram.values.folding import fold
from tablegram.values.http.signing import PREFIX, verified

# Where plain signatures are written by those who follow no standard.
_SIGNATURES = ("x-tablegram-signature", "x-signature", "x-hub-signature-256", "x-webhook-signature", "x-hmac-sha256")

# What a mapping may name, in the order in which people are asked.
FACTS = (
    "kind", "reference", "phone", "name", "first_name", "last_name", "email", "number", "amount", "currency", "status",
    "url", "at", "language", "country", "consents", "checkout", "tracking_carrier", "tracking_number", "tracking_url",
    "reason", "items", "item_name", "item_quantity", "item_amount",
)  # fmt: skip
# What is left where nothing is mapped.
_INSTEAD = {"reference": "id", "item_name": "name", "item_quantity": "quantity", "item_amount": "amount"}

_WORDS: dict[EventKind, str] = {
    "order_created": "orders_create order_create order_new new_order order_placed order created placed new yeni yeni_siparis",
    "order_paid": "orders_paid order_payment payment_received payment_succeeded paid odendi odeme_alindi",
    "order_changed": "orders_updated order_updated order_update updated changed guncellendi hazirlaniyor",
    "order_shipped": "orders_fulfilled order_fulfilled fulfilled shipped dispatched kargolandi kargoya_verildi kargoda",
    "order_delivered": "delivered teslim_edildi",
    "order_cancelled": "orders_cancelled order_canceled cancelled canceled iptal iptal_edildi",
    "order_refunded": "refund_created refunded iade iade_edildi",
    "checkout_changed": "checkout_created checkout_updated checkouts_create checkouts_update cart_created cart_updated "
    "cart abandoned_cart sepet",
    "checkout_completed": "cart_completed",
    "checkout_deleted": "checkouts_delete cart_deleted",
    "form_sent": "form form_submitted",
}
_KINDS: dict[str, EventKind] = {word: kind for kind, words in _WORDS.items() for word in words.split()} | {
    kind: kind for kind in get_args(EventKind) if kind != "shop_erasure_asked"
}


class Generic:
    platform = "generic"

    def prove(self, secret: str, headers: Mapping[str, str], body: bytes) -> None:
        keys = needed(secret)
        if "webhook-signature" in headers:
            # Its id names the delivery, and is signed only in this way: another signature beside it does not count.
            if any(verified(one, headers, body, int(time.time())) for key in keys for one in (key, _as_bytes(key))):
                return
            raise Unverified("the signature is wrong or too old")
        given = next(filter(None, (headers.get(name) for name in _SIGNATURES)), "")
        if not is_signed(keys, given, body):
            raise Unverified("the signature is missing or wrong")

    def name(self, headers: Mapping[str, str], body: bytes) -> str:
        signed = pick.text(headers.get("webhook-id"), 200) if "webhook-signature" in headers else ""
        return signed or digest_of(body)

    def topic(self, headers: Mapping[str, str], body: bytes) -> str:
        return ""

    def read(self, headers: Mapping[str, str], body: bytes, setup: Setup) -> tuple[StoreEvent, ...]:
        found, mapping = object_in(headers, body), setup.mapping

        def fact(name: str) -> Any:
            return _fact(found, mapping, name)

        kind = _kind_of(fact("kind"))
        reference = pick.text(fact("reference"))
        if not reference:
            raise Unreadable("reference_missing", "There is no `reference`: map it to the order's own id.")
        currency = pick.currency(fact("currency"), setup.currency)
        tracking = Tracking(
            carrier=pick.text(fact("tracking_carrier")), number=pick.text(fact("tracking_number")),
            url=pick.link(fact("tracking_url")),
        )  # fmt: skip
        return (
            StoreEvent(
                kind=kind, reference=reference, at=pick.moment(fact("at")), number=pick.text(fact("number")),
                checkout=pick.text(fact("checkout")), goods=_goods(fact("items"), mapping, currency),
                amount=pick.amount(fact("amount"), currency), currency=currency, status=pick.text(fact("status")),
                url=pick.link(fact("url")), tracking=None if tracking == Tracking() else tracking,
                reason=pick.text(fact("reason")), fields=_more(found, mapping),
                person=ShopCustomer(
                    name=pick.text(fact("name")) or pick.full_name(fact("first_name"), fact("last_name")),
                    phones=pick.phones(fact("phone")), email=pick.email(fact("email")),
                    language=pick.language(fact("language")), country=pick.country(fact("country")),
                    consents=pick.flag(fact("consents")),
                ),
            ),
        )  # fmt: skip


def _as_bytes(key: str) -> str:
    """A secret that is no base64 and signs as it is written, in the form in which one is read."""
    return PREFIX + base64.b64encode(key.encode("utf-8", "replace")).decode()


def _fact(found: Any, mapping: Mapping[str, str], name: str) -> Any:
    """What a fact is: at its place, or written behind `=` for all deliveries alike."""
    path = mapping.get(name, "")
    if path.startswith("="):
        return path[1:]
    if path:
        return at(found, path)
    value = found.get(name) if isinstance(found, dict) else None
    return found.get(_INSTEAD[name]) if value is None and name in _INSTEAD and isinstance(found, dict) else value


def _kind_of(value: Any) -> EventKind:
    word = re.sub(r"[^a-z0-9]+", "_", fold(pick.text(value, 60))).strip("_")
    if not word:
        raise Unreadable("kind_missing", "It does not say what happened: map `kind`, or set it for all deliveries.")
    if word not in _KINDS:
        raise Unreadable("kind_unknown", "The word that says what happened (`kind`) is none that is known here.")
    return _KINDS[word]


def _goods(listed: Any, mapping: Mapping[str, str], currency: str) -> tuple[Good, ...]:
    lines = [one for one in listed[: pick.MAX_GOODS] if isinstance(one, dict)] if isinstance(listed, list) else []
    return pick.goods(
        pick.good(
            _fact(line, mapping, "item_name"),
            _fact(line, mapping, "item_quantity"),
            pick.amount(_fact(line, mapping, "item_amount"), currency),
        )
        for line in lines
    )


def _more(found: Any, mapping: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """What was mapped under a name of the user's own: texts may use it as a variable."""
    own = [name for name in mapping if name not in FACTS][:50]
    told = [(pick.text(name), pick.lines(_fact(found, mapping, name))) for name in own]
    return cast(tuple[tuple[str, str], ...], tuple(pair for pair in told if all(pair)))
