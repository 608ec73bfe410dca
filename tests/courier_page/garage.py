"""Couriers with pages of their own, in this process: each with a link, a PIN and a phone that keeps a cookie."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tablegram.values.clock import Clock
from tests.api.asking import Reply
from tests.api.product_in_process import Running, product

GUEST = {"address": "Moda Cad. 12", "customer_phone": "905551112233", "customer_name": "Ayşe Yılmaz"}
FREE = {"anonymous_rate_limit": 100_000.0, "anonymous_rate_burst": 100_000}
_KEYS = (f"tap{number:08d}" for number in count())


@dataclass
class Phone:
    """A courier's, with the page open."""

    running: Running
    path: str
    courier_id: str
    pin: str
    cookie: str = ""

    async def ask(self, method: str, path: str = "", body: Any = None, **headers: str) -> Reply:
        given = {**({"cookie": self.cookie} if self.cookie else {}), **headers}
        return await self.running.ask(method, f"{self.path}{path}", body, key=None, base="", headers=given)

    async def enter(self, pin: str | None = None) -> Reply:
        answer = await self.ask("POST", "/enter", {"pin": self.pin if pin is None else pin})
        if answer.status == 200:
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
        return answer

    async def page(self) -> Any:
        answer = await self.ask("GET", "/page")
        assert answer.status == 200, answer.json()
        return answer.json()

    async def tap(self, path: str, once: str | None = None, **fields: Any) -> Reply:
        return await self.ask("POST", f"/{path}", {"once": once or next(_KEYS), **fields})


class Garage:
    def __init__(self, running: Running) -> None:
        self.running = running
        self.venues: dict[int, tuple[str, str]] = {}

    async def made(self, path: str, body: Any, account: int = 1, method: str = "POST") -> Any:
        answer = await self.running.ask(method, path, body, account=account)
        assert answer.status < 300, answer.json()
        return answer.json() if answer.body else None

    async def furnish(self, account: int = 1) -> None:
        fields = {"name": "Safran", "currency": "TRY", "time_zone": "Europe/Istanbul", "order_types": ["delivery"]}
        venue = (await self.made("/restaurant/venues", fields, account))["id"]
        group = (await self.made(f"/restaurant/venues/{venue}/menu/categories", {"name": "All"}, account))["id"]
        dish = {"category_id": group, "name": "Lahmacun", "price": 90}
        self.venues[account] = venue, (await self.made(f"/restaurant/venues/{venue}/menu/items", dish, account))["id"]

    async def hire(self, name: str, account: int = 1, **fields: Any) -> Phone:
        given = {"name": name, "venue_id": self.venues[account][0], "language": "en", **fields}
        courier = (await self.made("/restaurant/couriers", given, account))["id"]
        return await self.hand_out(courier, account)

    async def hand_out(self, courier: str, account: int = 1, *, new_link: bool = False) -> Phone:
        link = await self.made(f"/restaurant/couriers/{courier}/page", {"new_link": new_link}, account)
        return Phone(self.running, urlsplit(link["url"]).path, courier, link["pin"])

    async def order(self, account: int = 1, *, ready: bool = True, **fields: Any) -> str:
        venue, dish = self.venues[account]
        body = {"venue_id": venue, "order_type": "delivery", "lines": [{"item_id": dish}], "payment_method": "cash"}
        number = (await self.made("/orders", {**body, **GUEST, **fields}, account))["order_id"]
        if ready:
            await self.made(f"/orders/{number}/finish", {}, account)
        return str(number)

    async def status(self, order_id: str) -> str:
        return str((await self.made(f"/orders/{order_id}", None, method="GET"))["status"])


@asynccontextmanager
async def garage(database_url: str, folder: Path, clock: Clock | None = None, **settings: Any) -> AsyncIterator[Garage]:
    async with product(database_url, folder, clock, **{**FREE, **settings}) as running:
        made = Garage(running)
        await made.furnish()
        yield made
