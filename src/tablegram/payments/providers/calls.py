"""Calls to a provider at an address that the operator chose: bytes there, JSON back, and every way to fail in one word."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from yarl import URL

from tablegram.payments.ports import ProviderDown, ProviderRefused
from tablegram.values import Json
from tablegram.values.http.wire import Lost, Reply, Unsent, Wires, head
from tablegram.values.money import is_currency, to_wire

# A payer waits for the link; whoever needs longer is asked again later.
BUDGET_S = 10.0


class ProviderCaller:
    """One provider's address. The bytes that are handed over are the bytes that go out."""

    def __init__(self, wires: Wires, base: str, budget_s: float = BUDGET_S) -> None:
        self._wires = wires
        self._base = base.rstrip("/")
        self._budget_s = budget_s

    async def ask(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> Reply:
        """Raises `ProviderDown` when no whole answer came."""
        url = URL(self._base + path)
        request = head(method, url, headers) + b"%d\r\n\r\n" % len(body) + body
        try:
            return await self._wires.to(url).ask(request, self._budget_s)
        except (Unsent, Lost) as error:
            raise ProviderDown(str(error)) from None


def object_of(reply: Reply) -> Json:
    """The JSON object of an answer. Raises `ProviderDown` for what is none: it tells nothing of what happened."""
    found = object_in(reply.body)
    if found is None:
        raise ProviderDown(f"it answered {reply.status} with what is no JSON object")
    return found


def object_in(body: bytes) -> Json | None:
    try:
        found = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def text_in(found: Json, name: str, most: int = 300) -> str:
    """A text of an answer; empty for everything that is none, or is longer than it has a reason to be."""
    value = found.get(name)
    return value if isinstance(value, str) and len(value) <= most else ""


def for_people(words: object, *secrets: str) -> str:
    """What a provider said, short, on one line, and without what must not be told."""
    told = " ".join(str(words or "").split())
    for secret in secrets:
        if secret:
            told = told.replace(secret, "…")
    return told[:300]


def decimal_of(amount: int, currency: str) -> float:
    """An amount for who counts in whole units. Raises `ProviderRefused` for what is no currency."""
    if not is_currency(currency):
        raise ProviderRefused("currency_unsupported", f"{currency} is not a currency.")
    return to_wire(amount, currency)
