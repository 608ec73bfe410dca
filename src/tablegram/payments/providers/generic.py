"""A provider of the customer's own: it has a pay page at an address that can be written down, and signs as Standard
Webhooks says.

It tells us what happened, signed; and where it names an address to be asked at, it is told in the same way what we want.
That address was chosen by a user, so it is called through the guarded client.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from typing import Any, cast, get_args
from urllib.parse import quote

import msgspec

from tablegram.payments.ports import (
    LinkReport,
    LinkStanding,
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
from tablegram.payments.providers.calls import BUDGET_S, decimal_of, for_people, object_in, text_in
from tablegram.values import Json
from tablegram.values.http.outbound import GuardedClient, OutboundError, TargetForbidden
from tablegram.values.http.signing import signed_headers, verified
from tablegram.values.ids import new_id
from tablegram.values.money import from_wire, is_currency

MAX_ANSWER_BYTES = 65_536
_PLACE = re.compile(r"\{([a-z_]+)\}")
_KINDS: dict[str, SignalKind] = {
    "payment.succeeded": "paid",
    "payment.failed": "failed",
    "payment.expired": "expired",
    "payment.refunded": "refunded",
}


class Generic:
    name = "generic"

    def __init__(self, keys: Mapping[str, str], mode: Mode, client: GuardedClient, budget_s: float = BUDGET_S) -> None:
        self.mode = mode
        self._secret = keys["secret"]
        self._pay_url = keys["pay_url"]
        self._ask_url = keys.get("ask_url", "")
        self._client = client
        self._budget_s = budget_s

    async def make(self, wish: LinkWish) -> MadeLink:
        """Nobody is asked: the page's address says all that it needs, and is the same each time."""
        return MadeLink(reference=wish.link_id, url=page_address(self._pay_url, wish), expires_at=wish.expires_at)

    def read(self, headers: Mapping[str, str], body: bytes, now: int) -> tuple[Signal, ...]:
        return read_signed(self._secret, self.mode, headers, body, now)

    async def ask(self, link_id: str, reference: str) -> LinkReport:
        if not self._ask_url or not reference:
            # It tells by itself, or not at all.
            return LinkReport(state="open")
        return standing_of(await self._call("payment.ask", {"link_id": link_id or reference}))

    async def cancel(self, reference: str) -> LinkReport:
        if not self._ask_url or not reference:
            return LinkReport(state="cancelled")
        return standing_of(await self._call("payment.cancel", {"link_id": reference}))

    async def refund(self, wish: RefundWish) -> Refunded:
        if not self._ask_url:
            words = "This provider cannot be asked for it. Pay it back there; its signal is noted here."
            raise ProviderRefused("refund_by_hand", words)
        asked = {
            "link_id": wish.reference,
            "refund_id": wish.refund_id,
            "amount": decimal_of(wish.amount, wish.currency),
            "currency": wish.currency,
        }
        found = await self._call("payment.refund", asked)
        return Refunded(reference=text_in(found, "reference") or wish.refund_id, pending=found.get("pending") is True)

    async def check(self) -> None:
        if self._ask_url:
            await self._call("payment.check", {})

    async def _call(self, kind: str, data: dict[str, Any]) -> dict[str, Any]:
        body = msgspec.json.encode({"type": kind, "data": {**data, "mode": self.mode}})
        headers = signed_headers(self._secret, new_id(), int(time.time()), body) | {"Content-Type": "application/json"}
        try:
            async with self._client.request(
                "POST", self._ask_url, headers=headers, body=body, timeout_s=self._budget_s
            ) as response:
                raw = await response.content.read(MAX_ANSWER_BYTES)
                status = response.status
        except TargetForbidden as error:
            raise ProviderRefused("address_forbidden", f"ask_url cannot be called: {error.reason}.") from None
        except OutboundError as error:
            raise ProviderDown(str(error)) from None
        return answer_of(status, raw, self._secret)


def answer_of(status: int, raw: bytes, secret: str) -> Json:
    """What a provider that speaks our own words answered."""
    found = object_in(raw)
    if 200 <= status < 300 and found is not None:
        return found
    if status in (401, 403):
        raise ProviderRefused("keys_refused", "The provider does not accept the secret. Enter the one that it has.")
    if status in (400, 404, 409, 422):
        words = for_people((found or {}).get("detail") or f"it answered {status}", secret)
        raise ProviderRefused("provider_refused", f"The provider refuses: {words}")
    raise ProviderDown(f"it answered {status}")


def page_address(template: str, wish: LinkWish) -> str:
    """The pay page's address, each value written so that it stays one value."""
    values = {
        "link_id": wish.link_id,
        "amount": str(decimal_of(wish.amount, wish.currency)),
        "amount_minor": str(wish.amount),
        "currency": wish.currency,
        "description": wish.description,
        "language": wish.language,
        "success_url": wish.success_url,
        "cancel_url": wish.cancel_url,
        "expires_at": str(wish.expires_at // 1_000),
    }
    return _PLACE.sub(lambda found: quote(values.get(found[1], ""), safe=""), template)


def read_signed(secret: str, mode: Mode, headers: Mapping[str, str], body: bytes, now: int) -> tuple[Signal, ...]:
    signal_id = verified(secret, headers, body, now // 1_000)
    if signal_id is None:
        raise Unverified("the signature is missing, wrong or too old")
    event = object_in(body) or {}
    kind, data = event.get("type"), event.get("data")
    if not isinstance(data, dict) or not isinstance(kind, str):
        return ()
    if data.get("mode", mode) != mode:
        raise Unverified(f"the signal is not of {mode} mode")
    link_id, currency = text_in(data, "link_id"), text_in(data, "currency").upper()
    if kind not in _KINDS or not link_id:
        return ()
    amount = _minor(data.get("amount"), currency)
    return (
        Signal(
            id=signal_id, kind=_KINDS[kind], reference=text_in(data, "reference") or link_id, link_id=link_id,
            amount=amount, currency=currency, must_ask=_KINDS[kind] == "paid" and amount is None,
            refunded=_minor(data.get("refunded"), currency),
        ),
    )  # fmt: skip


def standing_of(found: Json) -> LinkReport:
    state, currency = found.get("state"), text_in(found, "currency").upper()
    if state not in get_args(LinkStanding):
        raise ProviderDown("its answer says no state of a payment")
    return LinkReport(
        state=cast(LinkStanding, state),
        amount=_minor(found.get("amount"), currency),
        currency=currency,
        payment_reference=text_in(found, "payment_reference"),
        refunded=_minor(found.get("refunded"), currency) or 0,
    )


def _minor(value: Any, currency: str) -> int | None:
    if type(value) not in (int, float, str) or not is_currency(currency):
        return None
    try:
        return from_wire(value, currency)
    except ValueError:
        return None
