"""Stripe: a link is a Checkout Session, made and asked for through Stripe's own library.

The library is large, so that it is loaded with the first call and not before. Signatures are proven here: what a callback
says is needed before anything is loaded, and at the clock that the caller names.
"""

from __future__ import annotations

import hmac
import logging
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from tablegram.payments.ports import (
    LinkReport,
    LinkWish,
    MadeLink,
    Mode,
    ProviderDown,
    ProviderRefused,
    Refunded,
    RefundWish,
    Signal,
    SignalKind,
    Unverified,
)
from tablegram.payments.providers.calls import BUDGET_S, for_people, object_in
from tablegram.payments.providers.stripe_money import from_stripe, to_stripe
from tablegram.values.http.network import Session, network_failures, timeout

Answer = TypeVar("Answer")

TOLERANCE_S = 300
# What a session may last: half an hour to a day, counted by Stripe's clock when it hears of it.
SHORTEST_S, LONGEST_S = 1_800, 86_400
_SLACK_S = 60
# By this a session is known as ours: an account at Stripe may serve other shops too.
OURS = "tablegram_link"
_KINDS: dict[str, SignalKind] = {
    "checkout.session.completed": "paid",
    "checkout.session.async_payment_succeeded": "paid",
    "checkout.session.async_payment_failed": "failed",
    "checkout.session.expired": "expired",
}
_STAMP = re.compile(r"[0-9]{1,12}", re.ASCII)
_LOCALES = frozenset(("de", "en", "es", "fr", "it", "ja", "nl", "pl", "pt", "ru", "tr"))


class Stripe:
    name = "stripe"

    def __init__(
        self, keys: Mapping[str, str], mode: Mode, session: Callable[[], Session], base: str = "",
        budget_s: float = BUDGET_S,
    ) -> None:  # fmt: skip
        self.mode = mode
        self._key = keys["secret_key"]
        # Until it is entered nothing that is told is believed, and payments are found by asking.
        self._webhook_secret = keys.get("webhook_secret", "")
        self._session = session
        self._base = base.rstrip("/")
        self._budget_s = budget_s
        self._opened: Any = None

    async def make(self, wish: LinkWish) -> MadeLink:
        expires_s, key = _lifetime(wish, time.time())
        amount = to_stripe(wish.amount, wish.currency)
        lines = [(item.name, to_stripe(item.amount, wish.currency)) for item in wish.items]
        if not lines or sum(part for _, part in lines) != amount or any(part <= 0 for _, part in lines):
            # What it cannot show line by line (a discount is a line below zero) it shows as one.
            lines = [(wish.description, amount)]
        params: dict[str, Any] = {
            "mode": "payment",
            "client_reference_id": wish.link_id,
            "metadata": {OURS: wish.link_id},
            # Charges inherit it, so that a refund made at Stripe finds its link.
            "payment_intent_data": {"metadata": {OURS: wish.link_id}, "description": wish.description[:500]},
            "line_items": [_line(name, part, wish.currency) for name, part in lines],
            "success_url": wish.success_url,
            "cancel_url": wish.cancel_url,
            "expires_at": expires_s,
            "locale": wish.language if wish.language in _LOCALES else "auto",
        }
        if wish.customer.email:
            params["customer_email"] = wish.customer.email
        made = await self._call(lambda one: one.checkout.sessions.create_async(params, {"idempotency_key": key}))
        if not made.id or not made.url:
            raise ProviderDown("its answer holds no session")
        # Whoever wished for less than Stripe allows ends it when its time is over.
        return MadeLink(reference=made.id, url=made.url, expires_at=min(made.expires_at * 1_000, wish.expires_at))

    def read(self, headers: Mapping[str, str], body: bytes, now: int) -> tuple[Signal, ...]:
        _verify(self._webhook_secret, headers.get("stripe-signature", ""), body, now // 1_000)
        event = object_in(body) or {}
        if event.get("livemode") is not (self.mode == "live"):
            raise Unverified(f"the event is not of {self.mode} mode")
        held, kind = _object(event.get("data")), event.get("type")
        thing, event_id = _object(held.get("object")), event.get("id")
        link_id = _object(thing.get("metadata")).get(OURS)
        if not isinstance(event_id, str) or not isinstance(link_id, str) or not isinstance(kind, str):
            return ()
        currency = str(thing.get("currency") or "").upper()
        if kind == "charge.refunded":
            refunded = _amount(thing.get("amount_refunded"), currency)
            signal = Signal(id=event_id, kind="refunded", link_id=link_id, currency=currency, refunded=refunded)
            return (signal,)
        if kind not in _KINDS or (_KINDS[kind] == "paid" and thing.get("payment_status") != "paid"):
            return ()
        amount = _amount(thing.get("amount_total"), currency)
        return (
            Signal(
                id=event_id, kind=_KINDS[kind], reference=str(thing.get("id") or ""), link_id=link_id, amount=amount,
                currency=currency, must_ask=_KINDS[kind] == "paid" and amount is None,
            ),
        )  # fmt: skip

    async def ask(self, link_id: str, reference: str) -> LinkReport:
        if not reference:
            return LinkReport(state="open")
        wanted = {"expand": ["payment_intent.latest_charge"]}
        return _standing(await self._call(lambda one: one.checkout.sessions.retrieve_async(reference, wanted)))

    async def cancel(self, reference: str) -> LinkReport:
        if not reference:
            return LinkReport(state="cancelled")
        try:
            await self._call(lambda one: one.checkout.sessions.expire_async(reference))
        except ProviderRefused as refused:
            if refused.code != "provider_refused":
                raise
            # Only an open session can be ended; how it ended before, it says itself.
            return await self.ask("", reference)
        return LinkReport(state="cancelled")

    async def refund(self, wish: RefundWish) -> Refunded:
        # An idempotency key is forgotten after a day. What stands in the list is never made again.
        asked = {"payment_intent": wish.payment_reference, "limit": 100}
        made = await self._call(lambda one: one.refunds.list_async(asked))
        found: Any = next((one for one in made.data if _is_refund(one, wish.refund_id)), None)
        if found is None:
            params = {
                "payment_intent": wish.payment_reference,
                "amount": to_stripe(wish.amount, wish.currency),
                "metadata": {"tablegram_refund": wish.refund_id},
            }
            key = {"idempotency_key": wish.refund_id}
            found = await self._call(lambda one: one.refunds.create_async(params, key))
        if found.status in ("failed", "canceled"):
            raise ProviderRefused("refund_failed", "Stripe could not pay it back. Its dashboard says why.")
        return Refunded(reference=found.id, pending=found.status != "succeeded")

    async def check(self) -> None:
        found = await self._call(lambda one: one.checkout.sessions.list_async({"limit": 1}))
        if any(one.livemode is not (self.mode == "live") for one in found.data):
            raise ProviderRefused("key_of_other_mode", f"The key is not of {self.mode} mode.")

    async def _call(self, what: Callable[[Any], Awaitable[Answer]]) -> Answer:
        import stripe

        try:
            return await what(self._open(stripe).v1)
        except network_failures() as error:
            raise ProviderDown(f"no answer of Stripe: {type(error).__name__}") from None
        except stripe.StripeError as error:
            raise self._translated(stripe, error) from None

    def _open(self, stripe: Any) -> Any:
        if self._opened is None:
            # It would tell Stripe how long our calls take, and a log at its lowest level who pays.
            stripe.enable_telemetry = False
            logging.getLogger("stripe").setLevel(logging.WARNING)
            client = stripe.AIOHTTPClient(session=self._session().client, timeout=timeout(self._budget_s))
            address = {"base_addresses": {"api": self._base}} if self._base else {}
            # Whoever keeps the links tries again, by rows; a second try here would only make them wait.
            self._opened = stripe.StripeClient(self._key, http_client=client, max_network_retries=0, **address)
        return self._opened

    def _translated(self, stripe: Any, error: Any) -> Exception:
        if isinstance(error, stripe.AuthenticationError | stripe.PermissionError):
            return ProviderRefused("keys_refused", "Stripe does not accept the key. Enter another one.")
        if isinstance(error, stripe.IdempotencyError):
            return ProviderRefused(
                "already_asked_otherwise", "Stripe was asked for the same with other figures before."
            )
        if isinstance(error, stripe.InvalidRequestError | stripe.CardError):
            words = for_people(error.user_message or "", self._key, self._webhook_secret)
            return ProviderRefused("provider_refused", f"Stripe refuses: {words}")
        # Too many requests, its own failures, answers that cannot be read.
        return ProviderDown(f"Stripe answered {error.http_status or 'nothing'}")


def _lifetime(wish: LinkWish, now_s: float) -> tuple[int, str]:
    """When the session ends, in seconds, and the key under which it is made once.

    A wish within Stripe's bounds is the same whenever it is repeated. One beyond them is bent to the bounds, in steps of
    half an hour, so that a repetition in the same half hour is the same too; what a later one leaves behind is a session
    whose address nobody was ever told.
    """
    wished = wish.expires_at // 1_000
    if now_s + SHORTEST_S + _SLACK_S <= wished <= now_s + LONGEST_S - _SLACK_S:
        return wished, wish.link_id
    slot = int(now_s) // SHORTEST_S
    ends = (
        (slot + 2) * SHORTEST_S + _SLACK_S
        if wished < now_s + LONGEST_S / 2
        else slot * SHORTEST_S + LONGEST_S - _SLACK_S
    )
    return ends, f"{wish.link_id}.{slot}"


def _is_refund(one: Any, refund_id: str) -> bool:
    # What the library answers with is no dictionary, but has its fields.
    return getattr(one.metadata, "tablegram_refund", None) == refund_id


def _line(name: str, amount: int, currency: str) -> dict[str, Any]:
    price = {"currency": currency.lower(), "unit_amount": amount, "product_data": {"name": name[:250] or "…"}}
    return {"quantity": 1, "price_data": price}


def _standing(session: Any) -> LinkReport:
    intent = session.payment_intent
    intent_id = intent if isinstance(intent, str) else intent.id if intent is not None else ""
    if session.payment_status == "paid":
        currency = session.currency.upper()
        charge = None if intent is None or isinstance(intent, str) else intent.latest_charge
        back = 0 if charge is None or isinstance(charge, str) else charge.amount_refunded
        return LinkReport(
            state="paid", amount=from_stripe(session.amount_total, currency), currency=currency,
            payment_reference=intent_id, refunded=from_stripe(back, currency),
        )  # fmt: skip
    if session.status == "expired":
        return LinkReport(state="expired")
    refused = session.status == "complete" and not isinstance(intent, str) and intent is not None
    if refused and intent.status in ("requires_payment_method", "canceled"):
        # A bank was asked for days, and said no.
        return LinkReport(state="failed", payment_reference=intent_id)
    return LinkReport(state="open", payment_reference=intent_id)


def _verify(secret: str, header: str, body: bytes, now_s: int) -> None:
    """`t=…,v1=…`: while a secret is rolled there are several `v1`, and one that fits is enough."""
    parts = [part.partition("=") for part in header[:2_000].split(",")]
    stamps = [value for name, _, value in parts if name == "t"]
    if not secret or len(stamps) != 1 or _STAMP.fullmatch(stamps[0]) is None:
        raise Unverified("the signature is missing")
    expected = hmac.digest(secret.encode(), stamps[0].encode() + b"." + body, "sha256").hex().encode()
    given = [value.encode("utf-8", "replace") for name, _, value in parts if name == "v1"]
    if not any(hmac.compare_digest(one, expected) for one in given):
        raise Unverified("the signature is wrong")
    if abs(now_s - int(stamps[0])) > TOLERANCE_S:
        raise Unverified("the signature is too old, or a clock is wrong")


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _amount(value: Any, currency: str) -> int | None:
    try:
        return from_stripe(value, currency) if type(value) is int else None
    except ValueError:
        return None
