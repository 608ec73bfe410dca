"""iyzico: a link is a checkout form on iyzico's own page.

It knows no idempotency keys, its callbacks carry no amount, and a form that was made cannot be taken back. So every form
bears our link's id, what a callback says is always asked for, and a refund is looked for before it is made.
"""

from __future__ import annotations

import base64
import hmac
import secrets
import time
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any
from urllib.parse import urlencode, urlsplit

import msgspec

from tablegram.payments.kinds import KINDS
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
    Unverified,
)
from tablegram.payments.providers.calls import ProviderCaller, for_people, object_in, object_of, text_in
from tablegram.values import Json
from tablegram.values.money import from_wire

LIVE_URL, TEST_URL = "https://api.iyzipay.com", "https://sandbox-api.iyzipay.com"
_MAKE = "/payment/iyzipos/checkoutform/initialize/auth/ecom"
_ASK = "/payment/iyzipos/checkoutform/auth/ecom/detail"
_REFUND = "/v2/payment/refund"
_REPORT = "/v2/reporting/payment/details"
# As long as a form lives when it does not say so itself.
_FORM_LIVES_S = 1_800
# What iyzico insists on and nobody has asked the guest for.
_NOBODY = {
    "identityNumber": "11111111111",
    "registrationAddress": "-",
    "city": "-",
    "country": "Turkey",
    "ip": "127.0.0.1",
}
_NO_MAIL = "guest@example.com"


class Iyzico:
    name = "iyzico"

    def __init__(self, keys: Mapping[str, str], mode: Mode, caller: ProviderCaller) -> None:
        self.mode = mode
        self._api_key = keys["api_key"]
        self._secret = keys["secret_key"]
        self._caller = caller

    async def make(self, wish: LinkWish) -> MadeLink:
        if wish.currency not in KINDS["iyzico"].currencies:
            raise ProviderRefused("currency_unsupported", f"iyzico does not take {wish.currency}.")
        if wish.amount <= 0:
            raise ProviderRefused("amount_unsupported", "iyzico takes amounts above zero only.")
        found = await self._call("POST", _MAKE, _form(wish))
        token, page = text_in(found, "token"), text_in(found, "paymentPageUrl", 2_000)
        self._prove(found, [text_in(found, "conversationId"), token])
        if not token or urlsplit(page).scheme not in ("https", "http"):
            raise ProviderDown("its answer holds no form")
        lives_s = found.get("tokenExpireTime")
        ends = int(time.time() + (lives_s if type(lives_s) is int and lives_s > 0 else _FORM_LIVES_S)) * 1_000
        return MadeLink(reference=token, url=page, expires_at=min(ends, wish.expires_at))

    def read(self, headers: Mapping[str, str], body: bytes, now: int) -> tuple[Signal, ...]:
        """The signature covers no amount, no time and no number of the callback: it is only ever a reason to ask."""
        found = object_in(body) or {}
        kind, token, link_id, status = (
            _plain(found.get(name)) for name in ("iyziEventType", "token", "paymentConversationId", "status")
        )
        # Payments without a form bear another name for it, and no token.
        payment = _plain(found.get("iyziPaymentId")) or _plain(found.get("paymentId"))
        signed = self._secret + kind + payment + token + link_id + status
        given = headers.get("x-iyz-signature-v3", "")
        if not self._secret or not hmac.compare_digest(given.lower().encode("utf-8", "replace"), self._sign(signed)):
            raise Unverified("the signature is missing or wrong")
        # A try that failed ends nothing: the form stays open for the next card.
        if status != "SUCCESS" or not token or not link_id:
            return ()
        return (
            Signal(
                id=f"{payment}:{token}:{status}"[:190], kind="paid", reference=token, link_id=link_id, must_ask=True
            ),
        )

    async def ask(self, link_id: str, reference: str) -> LinkReport:
        if not reference:
            return LinkReport(state="open")
        found = await self._call("POST", _ASK, {"locale": "en", "conversationId": link_id, "token": reference})
        status, payment = text_in(found, "paymentStatus"), _plain(found.get("paymentId"))
        if status != "SUCCESS":
            # Refused cards and steps on the way: the form is open until it dies by itself.
            return LinkReport(state="open")
        paid, price = found.get("paidPrice"), found.get("price")
        currency, basket = text_in(found, "currency"), text_in(found, "basketId")
        told = text_in(found, "conversationId")
        self._prove(found, [status, payment, currency, basket, told, _figure(paid), _figure(price), reference])
        if link_id and basket != link_id:
            raise ProviderRefused("link_unknown", "iyzico's form is of another link.")
        return LinkReport(state="paid", amount=_minor(paid, currency), currency=currency, payment_reference=payment)

    async def cancel(self, reference: str) -> LinkReport:
        """A form cannot be taken back; it dies by itself. Who pays until then has paid, and its signal says so."""
        standing = await self.ask("", reference)
        return standing if standing.state == "paid" else LinkReport(state="cancelled")

    async def refund(self, wish: RefundWish) -> Refunded:
        if earlier := await self._refund_made(wish):
            return earlier
        body = {
            "locale": "en",
            "conversationId": wish.refund_id,
            "paymentId": wish.payment_reference,
            "price": _price(wish.amount),
            "currency": wish.currency,
            "ip": _NOBODY["ip"],
        }
        found = await self._call("POST", _REFUND, body)
        return Refunded(reference=_plain(found.get("refundHostReference")) or wish.refund_id)

    async def check(self) -> None:
        # A question about a payment that is not is answered only to who has keys.
        await self._call(
            "GET", f"{_REPORT}?{urlencode({'paymentConversationId': 'tablegram-check'})}", None, missing=True
        )

    async def _refund_made(self, wish: RefundWish) -> Refunded | None:
        query = urlencode({"paymentId": wish.payment_reference})
        found = await self._call("GET", f"{_REPORT}?{query}", None, missing=True)
        for payment in _list(found.get("payments")):
            for item in _list(payment.get("itemTransactions")):
                for refund in _list(item.get("refunds")):
                    if refund.get("refundConversationId") == wish.refund_id:
                        return Refunded(reference=_plain(refund.get("hostReference")) or wish.refund_id)
        return None

    async def _call(
        self, method: str, path: str, body: Mapping[str, Any] | None, missing: bool = False
    ) -> dict[str, Any]:
        """`missing`: that there is no such payment is an answer too."""
        raw = b"" if body is None else msgspec.json.encode(body)
        chance = f"{time.time_ns() // 1_000_000}{secrets.randbelow(10**9):09}"
        signature = self._sign(chance + path.partition("?")[0], raw).decode()
        proof = f"apiKey:{self._api_key}&randomKey:{chance}&signature:{signature}"
        headers = {
            "Authorization": "IYZWSv2 " + base64.b64encode(proof.encode()).decode(),
            "x-iyzi-rnd": chance,
            "Content-Type": "application/json",
            "Accept": "application/json",
        }
        reply = await self._caller.ask(method, path, headers, raw)
        if reply.status >= 500 or reply.status == 429:
            raise ProviderDown(f"iyzico answered {reply.status}")
        found = object_of(reply)
        if found.get("status") == "success":
            return found
        code = _plain(found.get("errorCode"))
        if reply.status == 401 or code in ("1000", "1001"):
            raise ProviderRefused("keys_refused", "iyzico does not accept the keys. Enter them again.")
        if missing and reply.status in (200, 404, 422):
            return {}
        words = for_people(found.get("errorMessage"), self._secret, self._api_key)
        raise ProviderRefused("provider_refused", f"iyzico refuses ({code or reply.status}): {words}")

    def _prove(self, found: Json, parts: list[str]) -> None:
        """An answer is signed too: nobody between us says that something was paid."""
        given = text_in(found, "signature").lower().encode("utf-8", "replace")
        if not hmac.compare_digest(given, self._sign(":".join(parts))):
            raise ProviderDown("the signature of its answer is missing or wrong")

    def _sign(self, text: str, body: bytes = b"") -> bytes:
        return hmac.digest(self._secret.encode(), text.encode() + body, "sha256").hex().encode()


def _form(wish: LinkWish) -> dict[str, Any]:
    items = [(item.name, item.amount) for item in wish.items]
    if not items or sum(part for _, part in items) != wish.amount or any(part <= 0 for _, part in items):
        # It takes no line at or below zero; what it cannot show line by line it shows as one.
        items = [(wish.description, wish.amount)]
    first, _, last = (wish.customer.name.strip() or "-").rpartition(" ")
    phone = {"gsmNumber": "+" + wish.customer.phone.lstrip("+")} if wish.customer.phone else {}
    address = {"contactName": wish.customer.name.strip() or "-", "address": "-", "city": "-", "country": "Turkey"}
    return {
        "locale": "tr" if wish.language == "tr" else "en",
        "conversationId": wish.link_id,
        "price": _price(wish.amount),
        "paidPrice": _price(wish.amount),
        "currency": wish.currency,
        "basketId": wish.link_id,
        "paymentGroup": "PRODUCT",
        # The payer's browser is sent there with the form's token, which proves nothing and has us ask.
        "callbackUrl": wish.hook_url,
        "enabledInstallments": [1],
        "buyer": {
            "id": wish.link_id, "name": first or last, "surname": last,
            "email": wish.customer.email or _NO_MAIL, **phone, **_NOBODY,
        },
        "billingAddress": address,
        "shippingAddress": address,
        "basketItems": [
            {
                "id": f"{wish.link_id}-{place}", "name": name[:200] or "-", "category1": "-", "itemType": "VIRTUAL",
                "price": _price(part),
            }
            for place, (name, part) in enumerate(items)
        ],
    }  # fmt: skip


def _price(amount: int) -> str:
    """Every currency that it takes has two decimals. Its own libraries write at least one."""
    whole = f"{amount // 100}.{amount % 100:02}".rstrip("0")
    return whole + "0" if whole.endswith(".") else whole


def _figure(value: Any) -> str:
    """A price as it stands in what is signed: without zeros at its end."""
    text = _plain(value)
    return text.rstrip("0").rstrip(".") if "." in text else text


def _minor(value: Any, currency: str) -> int | None:
    try:
        return from_wire(Decimal(_plain(value)), currency)
    except (ValueError, InvalidOperation):
        return None


def _plain(value: Any) -> str:
    """Numbers and texts are the same to it: an id comes as either."""
    if isinstance(value, str):
        return value if len(value) <= 300 else ""
    return str(value) if type(value) in (int, float) else ""


def _list(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
