"""The sandbox's provider: a pay page that plays whatever can happen, and signals that come by real HTTP, signed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit

import msgspec

from tablegram.payments.ports import LinkReport, LinkWish, MadeLink, Mode, ProviderDown, Refunded, RefundWish, Signal
from tablegram.payments.providers.calls import ProviderCaller, decimal_of, text_in
from tablegram.payments.providers.generic import answer_of, read_signed, standing_of


class Sandbox:
    name = "sandbox"
    mode: Mode = "test"

    def __init__(self, keys: Mapping[str, str], caller: ProviderCaller, page_base: str, hook_base: str) -> None:
        self._secret = keys["secret"]
        self._caller = caller
        # Where people reach the page, and where the sandbox reaches this server.
        self._page_base = page_base.rstrip("/")
        self._hook_base = hook_base.rstrip("/")

    async def make(self, wish: LinkWish) -> MadeLink:
        currency = wish.currency
        body = {
            "link_id": wish.link_id,
            "amount": decimal_of(wish.amount, currency),
            "currency": currency,
            "description": wish.description,
            "items": [{"name": item.name, "amount": decimal_of(item.amount, currency)} for item in wish.items],
            "language": wish.language,
            "success_url": wish.success_url,
            "cancel_url": wish.cancel_url,
            "hook_url": self._hook_base + urlsplit(wish.hook_url).path,
            "expires_at": wish.expires_at,
        }
        found = await self._call("POST", "/payments", body)
        reference, expires_at = text_in(found, "reference"), found.get("expires_at")
        if not reference or type(expires_at) is not int:
            raise ProviderDown("its answer holds no link")
        return MadeLink(reference=reference, url=f"{self._page_base}/pay/{quote(reference)}", expires_at=expires_at)

    def read(self, headers: Mapping[str, str], body: bytes, now: int) -> tuple[Signal, ...]:
        return read_signed(self._secret, self.mode, headers, body, now)

    async def ask(self, link_id: str, reference: str) -> LinkReport:
        if not reference:
            return LinkReport(state="open")
        return standing_of(await self._call("GET", f"/payments/{quote(reference, safe='')}", None))

    async def cancel(self, reference: str) -> LinkReport:
        if not reference:
            return LinkReport(state="cancelled")
        return standing_of(await self._call("POST", f"/payments/{quote(reference, safe='')}/cancel", {}))

    async def refund(self, wish: RefundWish) -> Refunded:
        body = {
            "refund_id": wish.refund_id,
            "amount": decimal_of(wish.amount, wish.currency),
            "currency": wish.currency,
        }
        found = await self._call("POST", f"/payments/{quote(wish.reference, safe='')}/refunds", body)
        return Refunded(reference=text_in(found, "reference") or wish.refund_id)

    async def play(self, url: str) -> None:
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        path = f"/pay/{url.rpartition('/')[2]}"
        reply = await self._caller.ask("POST", path, headers, b"play=pay")
        if reply.status != 303:
            answer_of(reply.status, reply.body, self._secret)

    async def check(self) -> None:
        await self._call("GET", "/payments", None)

    async def _call(self, method: str, path: str, body: dict[str, Any] | None) -> dict[str, Any]:
        raw = b"" if body is None else msgspec.json.encode(body)
        headers = {"Authorization": f"Bearer {self._secret}", "Content-Type": "application/json"}
        reply = await self._caller.ask(method, path, headers, raw)
        return answer_of(reply.status, reply.body, self._secret)
