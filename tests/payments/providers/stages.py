"""Each provider with somebody on its other side, led in the same words."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

from tablegram.payments.ports import LinkItem, LinkWish, MadeLink, Mode, Provider
from tablegram.payments.providers.opening import Providers
from tablegram.settings import Settings
from tablegram.values.http.outbound import GuardedClient, Targets
from tablegram.values.money import from_wire, to_wire
from tests.payments.fakes.generic import FakeGeneric
from tests.payments.fakes.iyzico import FakeIyzico
from tests.payments.fakes.serving import Fake, running, served
from tests.payments.fakes.stripe import FakeStripe
from tests.sandbox.stage import running as running_sandbox

NAMES = ("stripe", "iyzico", "generic", "sandbox")
SECRET = "whsec_" + "dGhlLXNlY3JldC1vZi10aGlzLXByb3ZpZGVyLTEyMw=="
HOUR_MS = 3_600_000

Callback = tuple[dict[str, str], bytes]


def now_ms() -> int:
    return int(time.time() * 1_000)


def wish(link_id: str = "pay_1", amount: int = 1_250, currency: str = "TRY", **more: Any) -> LinkWish:
    return LinkWish(
        **{
            "link_id": link_id, "amount": amount, "currency": currency, "description": "Masa 4 · çay",
            "items": (LinkItem(name="Çay", amount=amount - 250), LinkItem(name="Su", amount=250)), "language": "tr",
            "success_url": "https://venue.example/ok", "cancel_url": "https://venue.example/no",
            "hook_url": "https://venue.example/hooks/pay/x/key", "expires_at": now_ms() + HOUR_MS, **more,
        }
    )  # fmt: skip


class Stage:
    """`once`: it knows our link's id as a key. `dated`: what it signs bears the time."""

    name = ""
    mode: Mode = "test"
    once = dated = True
    keys: dict[str, str]
    fake: Fake

    def __init__(self) -> None:
        self.provider: Provider
        self.providers: Providers

    def settings(self) -> dict[str, Any]:
        return {}

    def open(self, stack: AsyncExitStack, keys: dict[str, str] | None = None, **more: Any) -> Provider:
        loopback = (ipaddress.ip_network("127.0.0.0/8"),)
        client = GuardedClient(Targets(loopback))
        providers = Providers(Settings(**self.settings()), client, **more)
        stack.push_async_callback(client.close)
        stack.push_async_callback(providers.close)
        return providers.of(self.name, self.mode, self.keys if keys is None else keys)

    def wrong_keys(self) -> dict[str, str]:
        """Well formed, and somebody else's."""
        return {name: value[:-6] + "xxxxxx" if "url" not in name else value for name, value in self.keys.items()}

    async def take(self, wished: LinkWish, made: MadeLink) -> None:
        """The payer opens the page."""

    async def pay(self, made: MadeLink) -> None:
        raise NotImplementedError

    async def callback(self, made: MadeLink) -> Callback:
        """What it posts when the link was paid."""
        raise NotImplementedError

    def forge(self, callback: Callback, secret: str, at_s: int) -> Callback:
        """The same, signed with another secret or at another time."""
        raise NotImplementedError

    def pages(self) -> int:
        """How many pages could be paid."""
        raise NotImplementedError

    async def back(self, made: MadeLink, currency: str = "TRY") -> int:
        """What was paid back, as the other side has it."""
        raise NotImplementedError


class StripeStage(Stage):
    name = "stripe"

    def __init__(self) -> None:
        super().__init__()
        self.keys = {"secret_key": "sk_test_51Secret0fTheTest", "webhook_secret": SECRET}
        self.stripe = self.fake = FakeStripe(self.keys["secret_key"], SECRET)

    def settings(self) -> dict[str, Any]:
        return {"stripe_url": self.fake.url}

    async def pay(self, made: MadeLink) -> None:
        self.stripe.pay(made.reference)

    async def callback(self, made: MadeLink) -> Callback:
        body = self.stripe.event("checkout.session.completed", made.reference)
        return self.stripe.sign(body, int(time.time())), body

    def forge(self, callback: Callback, secret: str, at_s: int) -> Callback:
        return self.stripe.sign(callback[1], at_s, secret), callback[1]

    def pages(self) -> int:
        return len(self.stripe.sessions)

    async def back(self, made: MadeLink, currency: str = "TRY") -> int:
        return self.stripe.refunded(f"pi_{made.reference}")


class IyzicoStage(Stage):
    name = "iyzico"
    once = dated = False

    def __init__(self) -> None:
        super().__init__()
        self.keys = {"api_key": "sandbox-api-key-of-the-test", "secret_key": "sandbox-secret-key-of-the-test"}
        self.iyzico = self.fake = FakeIyzico(api_key=self.keys["api_key"], secret=self.keys["secret_key"])

    def settings(self) -> dict[str, Any]:
        return {"iyzico_url": self.fake.url}

    async def pay(self, made: MadeLink) -> None:
        self.iyzico.pay(made.reference)

    async def callback(self, made: MadeLink) -> Callback:
        return self.iyzico.callback(made.reference)

    def forge(self, callback: Callback, secret: str, at_s: int) -> Callback:
        return self.iyzico.callback("token-1", secret=secret)

    def pages(self) -> int:
        return len(self.iyzico.forms)

    async def back(self, made: MadeLink, currency: str = "TRY") -> int:
        return int(self.iyzico.refunded(str(self.iyzico.forms[made.reference]["paymentId"])) * 100)


class GenericStage(Stage):
    name = "generic"

    def __init__(self) -> None:
        super().__init__()
        self.generic = self.fake = FakeGeneric(SECRET)

    def settings(self) -> dict[str, Any]:
        pay = "https://pay.example/p?ref={link_id}&amount={amount}&currency={currency}&back={success_url}"
        self.keys = {"secret": SECRET, "pay_url": pay, "ask_url": f"{self.fake.url}/ask"}
        return {}

    def open(self, stack: AsyncExitStack, keys: dict[str, str] | None = None, **more: Any) -> Provider:
        self.settings()
        return super().open(stack, keys, **more)

    async def take(self, wished: LinkWish, made: MadeLink) -> None:
        amount = to_wire(wished.amount, wished.currency)
        self.generic.links[wished.link_id] = {"amount": amount, "currency": wished.currency, "state": "open"}

    async def pay(self, made: MadeLink) -> None:
        self.generic.links[made.reference]["state"] = "paid"

    async def callback(self, made: MadeLink) -> Callback:
        body = self.generic.event("payment.succeeded", made.reference)
        return self.generic.sign(body, int(time.time())), body

    def forge(self, callback: Callback, secret: str, at_s: int) -> Callback:
        return self.generic.sign(callback[1], at_s, secret), callback[1]

    def pages(self) -> int:
        return len(self.generic.links)

    async def back(self, made: MadeLink, currency: str = "TRY") -> int:
        refunds = [one for one in self.generic.refunds.values() if one["link_id"] == made.reference]
        return sum(from_wire(one["amount"], currency) for one in refunds)


class _Door(Fake):
    """The way to a real sandbox, which can be made to fail."""

    inner = ""

    async def answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> tuple[int, Any]:
        kept: dict[str, str] = {name: headers[name] for name in ("authorization", "content-type") if name in headers}
        async with (
            aiohttp.ClientSession() as http,
            http.request(method, self.inner + path, headers=kept, data=body) as answer,
        ):
            return answer.status, await answer.json(content_type=None)


class SandboxStage(Stage):
    name = "sandbox"

    def __init__(self) -> None:
        super().__init__()
        self.keys = {"secret": SECRET}
        self.fake = self.door = _Door()
        self.hook = ""
        self.told: asyncio.Queue[Callback] = asyncio.Queue()
        self._made: set[str] = set()

    def settings(self) -> dict[str, Any]:
        host, _, port = self.hook.removeprefix("http://").partition(":")
        return {"sandbox_url": f"{self.fake.url}/sandbox", "host": host, "port": int(port)}

    async def hear(self, request: web.Request) -> web.Response:
        assert request.path == "/hooks/pay/x/key"
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.told.put_nowait((headers, await request.read()))
        return web.Response()

    async def pay(self, made: MadeLink) -> None:
        page = self.door.inner + "/sandbox/pay/" + made.reference
        async with aiohttp.ClientSession() as http, http.post(page, data={"play": "pay"}) as answer:
            assert answer.status == 200

    async def callback(self, made: MadeLink) -> Callback:
        return await asyncio.wait_for(self.told.get(), 60)

    def forge(self, callback: Callback, secret: str, at_s: int) -> Callback:
        return FakeGeneric(SECRET).sign(callback[1], at_s, secret), callback[1]

    async def take(self, wished: LinkWish, made: MadeLink) -> None:
        self._made.add(made.reference)

    def pages(self) -> int:
        return len(self._made)

    async def back(self, made: MadeLink, currency: str = "TRY") -> int:
        return (await self.provider.ask("", made.reference)).refunded


@asynccontextmanager
async def stage(name: str, folder: Path) -> AsyncIterator[tuple[Any, AsyncExitStack]]:
    kinds: list[type[Stage]] = [StripeStage, IyzicoStage, GenericStage, SandboxStage]
    found = next(kind for kind in kinds if kind.name == name)()
    async with AsyncExitStack() as stack:
        if isinstance(found, SandboxStage):
            found.hook = await stack.enter_async_context(served(found.hear))
            inner = await stack.enter_async_context(running_sandbox(folder / "sandbox.db"))
            found.door.inner = inner.removesuffix("/sandbox")
        await stack.enter_async_context(running(found.fake))
        found.provider = found.open(stack)
        yield found, stack
