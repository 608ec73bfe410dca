"""Customers who write, through a network that repeats each callback until it is answered 200.

Every customer writes one message after another, so that the order of each is known. Callbacks come as they do in life:
some hold three messages, some come twice at once, some come again later, the same or in another body.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import itertools
import random
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import msgspec

from tests.product import Product

SECRET = "app-secret-of-a-test"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(200)
_TIMEOUT = aiohttp.ClientTimeout(total=10)
_phones = itertools.count(905_401_000_000)


@dataclass
class Customer:
    """One who writes, and the ids of what they wrote, in order; `heard` are those that were answered 200."""

    phone: str
    wrote: list[str] = field(default_factory=list)
    heard: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Line:
    """Where its callbacks go, and a picture that the network has for it."""

    hook: str
    picture: str


def add_cloud_line(product: Product) -> Line:
    """A line whose callbacks are the test's own."""
    number_id = str(time.time_ns())
    product.sandbox_call("PUT", f"/numbers/{number_id}", {"access_token": "token-of-a-test"})
    line = {
        "kind": "cloud", "phone_number_id": number_id, "access_token": "token-of-a-test", "app_secret": SECRET,
        "verify_token": "verify-of-a-test",
    }  # fmt: skip
    status, made = product.call("POST", "/instances", line)
    assert status == 201, made
    return Line(str(made["callback_url"]), _upload(f"{product.sandbox_url}/graph/v23.0/{number_id}/media"))


def _upload(url: str) -> str:
    """Give the network a picture; returns its id there."""
    fields = {'name="messaging_product"': b"whatsapp", 'name="file"; filename="a.png"\r\nContent-Type: image/png': PNG}
    parts = [f"--edge\r\nContent-Disposition: form-data; {name}\r\n\r\n".encode() + fields[name] for name in fields]
    headers = {"Authorization": "Bearer token-of-a-test", "Content-Type": "multipart/form-data; boundary=edge"}
    request = urllib.request.Request(url, data=b"\r\n".join([*parts, b"--edge--\r\n"]), headers=headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return str(msgspec.json.decode(answer.read())["id"])


class Callers:
    """Use: `async with Callers(product, hook) as callers`. At the end everything written has been answered 200."""

    def __init__(self, line: Line, *, customers: int = 25, per_second: float = 100.0, pictures: float = 0.0) -> None:
        self._line = line
        self._pause_s = customers / per_second
        # How likely a message is a picture.
        self._pictures = pictures
        self.customers = [Customer(str(next(_phones))) for _ in range(customers)]
        self.repeats = 0
        self.refusals: list[str] = []
        # Called with the first answer 200, from then on never again.
        self.on_heard: Callable[[], None] | None = None
        self._chance = random.Random()
        self._stamp = time.time_ns()
        self._ending = False
        self._workers: list[asyncio.Task[None]] = []

    @property
    def written(self) -> int:
        return sum(len(one.wrote) for one in self.customers)

    @property
    def heard(self) -> int:
        return sum(len(one.heard) for one in self.customers)

    async def __aenter__(self) -> Callers:
        self._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), timeout=_TIMEOUT)
        self._workers = [asyncio.create_task(self._write(one)) for one in self.customers]
        return self

    async def __aexit__(self, *error: object) -> None:
        self._ending = True
        if error[0] is not None:
            for worker in self._workers:
                worker.cancel()
        ends = await asyncio.gather(*self._workers, return_exceptions=True)
        await self._session.close()
        for end in ends:
            if isinstance(end, Exception):
                raise end

    async def hear(self, more: int) -> None:
        """Wait until so many more were answered 200."""
        goal = self.heard + more
        while self.heard < goal:
            for worker in self._workers:
                if worker.done():
                    worker.result()
            await asyncio.sleep(0.002)

    async def _write(self, customer: Customer) -> None:
        await asyncio.sleep(self._chance.uniform(0, self._pause_s))
        while not self._ending:
            ids = [self._next_id(customer) for _ in range(3 if self._chance.random() < 0.1 else 1)]
            customer.wrote += ids
            picture = self._line.picture if self._chance.random() < self._pictures else ""
            await self._call(callback(customer.phone, ids, picture))
            customer.heard.update(ids)
            if self.on_heard is not None:
                then, self.on_heard = self.on_heard, None
                then()
            if self._chance.random() < 0.1:
                # The network was not sure whether it was heard: the same again, or the same words in another body.
                self.repeats += 1
                old = self._chance.choice(customer.wrote)
                await self._call(callback(customer.phone, self._chance.choice([ids, [old]]), picture))
            await asyncio.sleep(self._pause_s * self._chance.uniform(0.5, 1.5))

    def _next_id(self, customer: Customer) -> str:
        return f"wamid.{customer.phone}.{self._stamp}.{len(customer.wrote)}.{self._chance.getrandbits(40)}"

    async def _call(self, body: bytes) -> None:
        """Until one of the answers is 200; sometimes twice at once."""
        while True:
            twice = self._chance.random() < 0.1
            answers = await asyncio.gather(*[self._post(body) for _ in range(1 + twice)])
            if 200 in answers:
                return
            self.refusals += [f"answered {status}" for status in answers if status not in (None, 503)]
            await asyncio.sleep(0.03)

    async def _post(self, body: bytes) -> int | None:
        """The status, or nothing without an answer."""
        signature = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        headers = {"X-Hub-Signature-256": f"sha256={signature}", "Content-Type": "application/json"}
        try:
            async with self._session.post(self._line.hook, data=body, headers=headers) as answer:
                return answer.status
        except (aiohttp.ClientError, OSError, TimeoutError):
            return None


def callback(phone: str, ids: list[str], picture: str = "") -> bytes:
    """What the network says when a customer has written; each text is the message's own id."""
    messages = [{"from": phone, "id": one, "timestamp": str(int(time.time())), **_content(one, picture)} for one in ids]
    value: dict[str, Any] = {
        "messaging_product": "whatsapp",
        # Without the number's id: it is for the line whose address is called.
        "metadata": {"display_phone_number": "1"},
        "contacts": [{"profile": {"name": f"Customer {phone}"}, "wa_id": phone}],
        "messages": messages,
    }
    entry = {"id": "1", "changes": [{"field": "messages", "value": value}]}
    return msgspec.json.encode({"object": "whatsapp_business_account", "entry": [entry]})


def _content(text: str, picture: str) -> dict[str, Any]:
    if picture:
        return {"type": "image", "image": {"id": picture, "mime_type": "image/png", "caption": text}}
    return {"type": "text", "text": {"body": text}}
