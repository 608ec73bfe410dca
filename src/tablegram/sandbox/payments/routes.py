"""The merchant's side of the payment provider. The merchant's secret, which signs its signals, is its key.

GET  /sandbox/payments                       whether the key is one
POST /sandbox/payments                       a link, once for each `link_id`
GET  /sandbox/payments/{reference}           how it stands
POST /sandbox/payments/{reference}/cancel
POST /sandbox/payments/{reference}/refunds   once for each `refund_id`
"""

from __future__ import annotations

import base64
import binascii
from typing import Any

import msgspec
from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from tablegram.errors import Conflict, Invalid, NotFound, Unauthorized
from tablegram.sandbox.network import Network
from tablegram.sandbox.payments.desk import Line, SandboxPayment, TooMuch, new_reference
from tablegram.sandbox.requests import read_body
from tablegram.values.money import from_wire, is_currency, to_wire

_LEAST_SECRET_BYTES = 16
_MOST_ITEMS = 500


class WishedLine(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    amount: float


class Wish(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    link_id: str
    amount: float
    currency: str
    description: str = ""
    items: list[WishedLine] = []
    language: str = ""
    success_url: str
    cancel_url: str
    hook_url: str
    expires_at: int


class WishedRefund(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    refund_id: str
    amount: float
    currency: str


class Mode(msgspec.Struct, frozen=True):
    mode: str = "test"


class Made(msgspec.Struct, frozen=True):
    reference: str
    expires_at: int


class PaymentState(msgspec.Struct, frozen=True):
    state: str
    amount: float
    currency: str
    payment_reference: str
    refunded: float


class Refunded(msgspec.Struct, frozen=True):
    reference: str


@get("/payments")
async def check(request: Request[Any, Any, Any]) -> Mode:
    _secret(request)
    return Mode()


@post("/payments", status_code=201)
async def make(request: Request[Any, Any, Any], network: NamedDependency[Network]) -> Made:
    secret, wish = _secret(request), await read_body(request, Wish)
    made = network.desk.make(secret, _checked(wish))
    network.teller.wake()
    return Made(made.reference, made.expires_ms)


@get("/payments/{reference:str}")
async def ask(
    request: Request[Any, Any, Any], network: NamedDependency[Network], reference: FromPath[str]
) -> PaymentState:
    return _standing(_payment(request, network, reference))


@post("/payments/{reference:str}/cancel", status_code=200)
async def cancel(
    request: Request[Any, Any, Any], network: NamedDependency[Network], reference: FromPath[str]
) -> PaymentState:
    return _standing(network.desk.cancel(_payment(request, network, reference)))


@post("/payments/{reference:str}/refunds", status_code=200)
async def refund(
    request: Request[Any, Any, Any], network: NamedDependency[Network], reference: FromPath[str]
) -> Refunded:
    payment, wish = _payment(request, network, reference), await read_body(request, WishedRefund)
    amount = _minor("amount", wish.amount, payment.currency)
    if wish.currency != payment.currency or not 0 < len(wish.refund_id) <= 100:
        raise Invalid.field("currency", "currency_differs", f"The payment is in {payment.currency}.")
    try:
        network.desk.refund(payment, wish.refund_id, amount)
    except TooMuch:
        raise Conflict("More would be paid back than was paid.", code="refund_too_much") from None
    network.teller.wake()
    return Refunded(f"re_{wish.refund_id}")


def _checked(wish: Wish) -> SandboxPayment:
    if not is_currency(wish.currency):
        raise Invalid.field("currency", "currency_unknown", "currency is a code such as TRY.")
    if not 0 < len(wish.link_id) <= 100:
        raise Invalid.field("link_id", "link_id_invalid", "link_id has 1 to 100 characters.")
    if len(wish.items) > _MOST_ITEMS:
        raise Invalid.field("items", "too_many", f"A link has at most {_MOST_ITEMS} items.")
    for name in ("success_url", "cancel_url", "hook_url"):
        if not getattr(wish, name).startswith(("http://", "https://")):
            raise Invalid.field(name, "url_invalid", f"{name} must begin with http:// or https://.")
    amount = _minor("amount", wish.amount, wish.currency)
    if amount <= 0:
        raise Invalid.field("amount", "amount_invalid", "amount must be above zero.")
    return SandboxPayment(
        reference=new_reference(),
        link_id=wish.link_id,
        amount=amount,
        currency=wish.currency,
        description=wish.description[:500],
        items=tuple(Line(one.name[:200], _minor("items", one.amount, wish.currency)) for one in wish.items),
        language=wish.language[:10],
        success_url=wish.success_url,
        cancel_url=wish.cancel_url,
        hook_url=wish.hook_url,
        expires_ms=min(max(wish.expires_at, 0), 2**53),
    )


def _minor(field: str, value: float, currency: str) -> int:
    try:
        return from_wire(value, currency)
    except ValueError as error:
        raise Invalid.field(field, "amount_invalid", f"{field}: {error}.") from None


def _secret(request: Request[Any, Any, Any]) -> str:
    secret = request.headers.get("authorization", "").removeprefix("Bearer ")
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) < _LEAST_SECRET_BYTES:
        raise Unauthorized("Show the merchant's secret: Authorization: Bearer whsec_…", code="secret_invalid")
    return secret


def _payment(request: Request[Any, Any, Any], network: Network, reference: str) -> SandboxPayment:
    found = network.desk.of(_secret(request), reference)
    if found is None:
        raise NotFound("This merchant has no such payment.", code="payment_unknown")
    return found


def _standing(payment: SandboxPayment) -> PaymentState:
    currency = payment.currency
    return PaymentState(
        state=payment.state,
        amount=to_wire(payment.paid or payment.amount, currency),
        currency=currency,
        payment_reference=payment.reference,
        refunded=to_wire(payment.refunded, currency),
    )


HANDLERS = [check, make, ask, cancel, refund]
