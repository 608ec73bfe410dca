"""Shops that deliver to the product in this process, as the platforms do: signed, over its own front door."""

from __future__ import annotations

import base64
import hashlib
import hmac
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import select

from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import inbox
from tablegram.values.clock import Clock
from tablegram.wiring.areas.stores.sources import StoreWorks
from tests.api.product_in_process import Running, product
from tests.engine.waiting import until
from tests.opened_product import parts_without

PHONE = "905320000001"
_numbers = itertools.count(1)
_UNTRIED = across_accounts(select(inbox.c.id).where(inbox.c.done_at.is_(None), inbox.c.attempts == 0), "a test")


@dataclass
class Shop:
    running: Running
    source: dict[str, Any]

    @property
    def works(self) -> StoreWorks:
        return self.running.api.of(StoreWorks)

    async def api(self, method: str, path: str, body: Any = None, status: int = 200, **more: Any) -> Any:
        reply = await self.running.ask(method, path, body, **more)
        assert reply.status == status, reply.body
        return reply.json() if reply.body else None

    async def knock(
        self, body: bytes = b"", headers: dict[str, str] | None = None, method: str = "POST", url: str = ""
    ) -> tuple[int, str]:
        """A request to the hook; what it was answered."""
        fields = [(name.lower().encode(), value.encode("latin-1")) for name, value in (headers or {}).items()]
        path = urlsplit(url or self.source["hook_url"]).path
        scope: dict[str, object] = {
            "type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": b"",
            "headers": [*fields, (b"content-length", str(len(body)).encode())], "client": ("192.0.2.9", 1),
            "http_version": "1.1", "scheme": "http", "root_path": "", "server": ("127.0.0.1", 8000), "state": {},
        }  # fmt: skip
        sent: list[Any] = []
        pieces = [body[at : at + 65_536] for at in range(0, len(body), 65_536)] or [b""]

        async def receive() -> Any:
            return {"type": "http.request", "body": pieces.pop(0), "more_body": bool(pieces)}

        async def send(message: Any) -> None:
            sent.append(message)

        await self.running.api(scope, receive, send)
        return sent[0]["status"], b"".join(part.get("body", b"") for part in sent[1:]).decode()

    async def deliver(self, topic: str, document: Any, *, secret: str = "", number: int = 0) -> tuple[int, str]:
        """As WooCommerce does it; a document that is bytes goes as it is."""
        body = document if isinstance(document, bytes) else msgspec.json.encode(document)
        return await self.knock(body, signed(body, topic, secret or self.source["secret"]))

    async def work(self) -> None:
        """Everything that came was worked on, by the inbox itself: another hand beside it would overtake it."""

        async def is_done() -> bool:
            return not await self.running.api.db.all(_UNTRIED)

        await until(is_done, "the inbox")

    async def deliveries(self, query: str = "") -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (await self.api("GET", f"/stores/deliveries{query}"))["data"]
        return found

    async def orders(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (await self.api("GET", "/stores/orders"))["data"]
        return found


def signed(body: bytes, topic: str, secret: str) -> dict[str, str]:
    proof = base64.b64encode(hmac.new(secret.encode(), body, hashlib.sha256).digest()).decode()
    return {"X-WC-Webhook-Topic": topic, "X-WC-Webhook-Signature": proof, "Content-Type": "application/json"}


def order(status: str = "processing", *, at: str = "2026-03-14T09:00:00", **more: Any) -> dict[str, Any]:
    """An order as WooCommerce writes it."""
    return {
        "id": 41,
        "number": "41",
        "status": status,
        "currency": "TRY",
        "total": "129.90",
        "date_created_gmt": "2026-03-14T08:00:00",
        "date_modified_gmt": at,
        "billing": {"first_name": "Defne", "last_name": "Aksoy", "phone": "0532 000 00 01", "email": "d@example.com"},
        "line_items": [{"name": "Cezve", "quantity": 1, "total": "129.90"}],
        **more,
    }


@asynccontextmanager
async def shop(database_url: str, folder: Path, clock: Clock | None = None, **source: Any) -> AsyncIterator[Shop]:
    """A WooCommerce shop in Turkey that nobody follows; what it delivers is worked on as it comes."""
    wish = {"platform": "woocommerce", "name": "Shop", "country": "TR", "currency": "TRY", **source}
    parts = parts_without({"panel", "sandbox", "store notices"})
    async with product(database_url, folder, clock, parts, public_url="https://tablegram.example") as running:
        one = Shop(running, {})
        one.source = await one.api("POST", "/stores/sources", wish, 201)
        yield one
