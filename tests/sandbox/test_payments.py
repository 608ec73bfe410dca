"""The sandbox's payment provider: links that are made once, a page for the payer, and signals that arrive."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from standardwebhooks import Webhook

from tablegram.sandbox import app as sandbox
from tablegram.sandbox.payments import desk
from tablegram.values.secrets import SecretBox
from tests.cases import cases
from tests.sandbox.peers import ask
from tests.sandbox.stage import running

SECRET = "whsec_" + "c2FuZGJveC1zZWNyZXQtb2YtYS1tZXJjaGFudC0x"
OTHER = "whsec_" + "b3RoZXItc2VjcmV0LW9mLWEtbWVyY2hhbnQtMTIz"
FAR = 4_000_000_000_000


@dataclass
class Merchant:
    """Who is told: answers 500 while it is `down`, and checks each signature with the standard's own library."""

    url: str = ""
    down: bool = False
    told: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    tried: int = 0
    bell: asyncio.Event = field(default_factory=asyncio.Event)

    async def hear(self, request: web.Request) -> web.Response:
        raw = await request.text()
        self.tried += 1
        self.bell.set()
        if self.down:
            return web.Response(status=500)
        self.told.append((request.headers["webhook-id"], Webhook(SECRET).verify(raw, dict(request.headers))))
        return web.Response()

    async def until(self, met: Any) -> None:
        async with asyncio.timeout(60):
            while not met():
                self.bell.clear()
                await self.bell.wait()

    def kinds(self) -> list[str]:
        return [body["type"] for _, body in self.told]


@asynccontextmanager
async def merchant() -> AsyncIterator[Merchant]:
    found, app = Merchant(), web.Application()
    app.router.add_post("/hook", found.hear)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    found.url = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}/hook"  # type: ignore[union-attr]
    try:
        yield found
    finally:
        await runner.cleanup()


class Till:
    """The merchant's calls, and a payer's."""

    def __init__(self, url: str, http: aiohttp.ClientSession, hook: str) -> None:
        self.url, self.http, self.hook = url, http, hook

    async def call(self, method: str, path: str, body: Any = None, secret: str = SECRET) -> tuple[int, Any]:
        headers = {"Authorization": f"Bearer {secret}"}
        async with self.http.request(method, self.url + path, json=body, headers=headers) as answer:
            return answer.status, await answer.json(content_type=None)

    def wish(self, link_id: str = "pay_1", **more: Any) -> dict[str, Any]:
        return {
            "link_id": link_id, "amount": 12.5, "currency": "TRY", "description": "Masa 4",
            "items": [{"name": "Çay", "amount": 2.5}, {"name": "<b>Köfte</b>", "amount": 10}], "language": "tr",
            "success_url": "http://127.0.0.1/ok", "cancel_url": "http://127.0.0.1/no", "hook_url": self.hook,
            "expires_at": FAR, **more,
        }  # fmt: skip

    async def made(self, link_id: str = "pay_1", **more: Any) -> str:
        status, answer = await self.call("POST", "/payments", self.wish(link_id, **more))
        assert status == 201, answer
        return str(answer["reference"])

    async def page(self, reference: str, query: str = "") -> str:
        async with self.http.get(f"{self.url}/pay/{reference}{query}") as answer:
            assert answer.status == 200
            assert answer.headers["Referrer-Policy"] == "same-origin"
            return await answer.text()

    async def play(self, reference: str, **form: str) -> str:
        """The page that the payer sees afterwards."""
        # As a browser does: a page that hides where it comes from would be refused.
        own = {"Origin": self.url.removesuffix("/sandbox")}
        async with self.http.post(f"{self.url}/pay/{reference}", data=form, headers=own) as answer:
            assert answer.status == 200
            return await answer.text()

    async def standing(self, reference: str) -> dict[str, Any]:
        status, answer = await self.call("GET", f"/payments/{reference}")
        assert status == 200, answer
        return dict(answer)


@asynccontextmanager
async def till(store: Path, hook: str, app: sandbox.SandboxApp | None = None) -> AsyncIterator[Till]:
    async with running(store, app=app) as url, aiohttp.ClientSession() as http:
        yield Till(url, http, hook)


async def test_a_link_is_made_once_and_every_way_to_pay_it_is_told(tmp_path: Path) -> None:
    app = sandbox.create(tmp_path / "s.db")
    app.network.desk.late_ms = 50
    async with merchant() as told, till(tmp_path / "s.db", told.url, app) as one:
        reference = await one.made()
        assert await one.made() == reference
        assert (await one.standing(reference))["state"] == "open"
        page = await one.page(reference)
        assert "₺12,50" in page
        assert "&lt;b&gt;Köfte" in page
        assert '<html lang="tr">' in page
        assert '<html lang="en">' in await one.page(reference, "?lang=en")

        # A refused card ends nothing; a wrong code neither; the right one pays.
        assert 'role="alert"' in await one.play(reference, play="refuse")
        await told.until(lambda: told.kinds() == ["payment.failed"])
        assert 'name="code"' in await one.play(reference, play="step")
        assert "code-wrong" in await one.play(reference, code="4321")
        assert (await one.standing(reference))["state"] == "open"
        assert "end-paid" in await one.play(reference, code="1234")
        await told.until(lambda: told.kinds()[1:] == ["payment.succeeded"])
        data = told.told[1][1]["data"]
        assert data == {
            "link_id": "pay_1", "reference": reference, "mode": "test", "amount": 12.5, "currency": "TRY"
        }  # fmt: skip
        # Whoever comes second changes nothing.
        await one.play(reference, play="pay")
        await one.play(reference, play="refuse")
        assert (await one.call("POST", f"/payments/{reference}/cancel"))[1]["state"] == "paid"
        assert len(told.told) == 2

        late, twice, other = await one.made("late"), await one.made("twice"), await one.made("other")
        await one.play(late, play="late")
        assert (await one.standing(late))["state"] == "paid"
        await told.until(lambda: len(told.told) == 3)
        await one.play(twice, play="twice")
        await told.until(lambda: len(told.told) == 5)
        assert told.told[3] == told.told[4]
        await one.play(other, play="other")
        await told.until(lambda: len(told.told) == 6)
        assert told.told[5][1]["data"]["amount"] == (await one.standing(other))["amount"] == 13.5
        assert (await one.call("POST", f"/payments/{await one.made('back')}/cancel"))[1]["state"] == "cancelled"
        expired, soon = await one.made("expired"), await one.made("soon", expires_at=1)
        await one.play(expired, play="expire")
        await told.until(lambda: len(told.told) == 8)
        assert sorted(told.kinds()[6:]) == ["payment.expired"] * 2
        assert (await one.standing(soon))["state"] == "expired"


async def test_money_goes_back_once_for_each_id_and_never_more_than_came(tmp_path: Path) -> None:
    async with merchant() as told, till(tmp_path / "s.db", told.url) as one:
        reference = await one.made()
        refunds = f"/payments/{reference}/refunds"
        first = {"refund_id": "rfd_1", "amount": 5, "currency": "TRY"}
        assert (await one.call("POST", refunds, first))[0] == 409
        await one.play(reference, play="pay")
        answers = await asyncio.gather(*(one.call("POST", refunds, first) for _ in range(8)))
        assert {status for status, _ in answers} == {200}
        assert (await one.standing(reference))["refunded"] == 5
        too_much = {"refund_id": "rfd_2", "amount": 7.51, "currency": "TRY"}
        assert (await one.call("POST", refunds, too_much))[0] == 409
        assert (await one.call("POST", refunds, too_much | {"amount": 7.5}))[0] == 200
        await told.until(lambda: len(told.told) == 3)
        assert sorted(body["data"].get("refunded", 0) for _, body in told.told) == [0, 5, 12.5]


async def test_signals_outlive_the_process_and_the_secret_is_sealed(tmp_path: Path) -> None:
    box = SecretBox("k" * 40)
    async with merchant() as told:
        told.down = True
        async with till(tmp_path / "s.db", told.url, sandbox.create(tmp_path / "s.db", box=box)) as one:
            reference = await one.made()
            await one.play(reference, play="pay")
            await told.until(lambda: told.tried)
        for file in tmp_path.iterdir():
            assert SECRET.encode() not in file.read_bytes()
            assert SECRET[6:].encode() not in file.read_bytes()
        told.down = False
        async with till(tmp_path / "s.db", told.url, sandbox.create(tmp_path / "s.db", box=box)) as one:
            await told.until(lambda: told.kinds() == ["payment.succeeded"])
            assert (await one.standing(reference))["state"] == "paid"


async def test_two_processes_on_one_file_tell_a_signal_once(tmp_path: Path) -> None:
    async with (
        merchant() as told,
        till(tmp_path / "s.db", told.url) as one,
        till(tmp_path / "s.db", told.url) as another,
    ):
        # The same link is asked for in both at once, and is one.
        both = [(one, another)[n % 2].made("pay_0") for n in range(8)]
        assert len(set(await asyncio.gather(*both))) == 1
        references = [await one.made(f"pay_{number}") for number in range(5)]
        await asyncio.gather(*((one, another)[n % 2].play(ref, play="pay") for n, ref in enumerate(references)))
        await told.until(lambda: len(told.told) == 5)
        assert [(await another.standing(ref))["state"] for ref in references] == ["paid"] * 5
        assert len({signal for signal, _ in told.told}) == 5


async def test_merchants_are_apart_and_nonsense_is_named(tmp_path: Path) -> None:
    async with till(tmp_path / "s.db", "http://127.0.0.1:9/hook") as one:
        reference = await one.made()
        with cases() as trial:
            for secret, status in (("", 401), ("whsec_AAAA", 401), ("whsec_ü", 401), (OTHER, 404)):
                with trial.case(f"secret {secret!r}"):
                    assert (await one.call("GET", f"/payments/{reference}", secret=secret))[0] == status
            for change in (
                {"amount": 0}, {"amount": -1}, {"amount": 1.005}, {"amount": 1e300}, {"amount": "1"}, {"currency": "ZZZ"},
                {"currency": "try"}, {"link_id": ""}, {"link_id": "x" * 101}, {"hook_url": "file:///etc/passwd"},
                {"success_url": "javascript:alert(1)"}, {"items": [{"name": "x"}]}, {"more": 1}, {"expires_at": "soon"},
            ):  # fmt: skip
                with trial.case(str(change)):
                    assert (await one.call("POST", "/payments", one.wish("pay_2") | change))[0] == 422
            for path in ("/pay/none", "/pay/" + "x" * 300, "/pay/%00", "/pay/%C3%BC", f"/pay/{reference}/phones.js"):
                with trial.case(path), pytest.raises(AssertionError):
                    await one.page(path.removeprefix("/pay/"))
            for body in (b"", b"play=fly", b"\xff", b"&" * 3_000, b"play=pay" + b"x" * 5_000):
                with trial.case(repr(body[:20])):
                    async with one.http.post(f"{one.url}/pay/{reference}", data=body) as answer:
                        assert answer.status == 422
        assert (await one.standing(reference))["state"] == "open"


async def test_a_pay_page_is_open_to_who_has_its_address_and_the_merchants_side_is_not(tmp_path: Path) -> None:
    app = sandbox.create(tmp_path / "s.db")
    found = app.network.desk.make(
        SECRET,
        desk.SandboxPayment(
            reference=desk.new_reference(), link_id="pay_1", amount=100, currency="TRY", description="", items=(),
            language="", success_url="http://a", cancel_url="http://a", hook_url="http://a", expires_ms=FAR,
        ),
    )  # fmt: skip
    assert re.fullmatch(r"sbx_[0-9a-f]{32}", found.reference)
    page, away = f"/sandbox/pay/{found.reference}", {"host": "gateway.example"}
    assert await ask(app, "8.8.8.8", away, path=page) == 200
    assert await ask(app, "8.8.8.8", away, path=f"{page}/pay.css") == 200
    assert await ask(app, "8.8.8.8", away, path="/sandbox/pay/sbx_guess") == 404
    # Another site's page in the payer's browser does not pay for them.
    foreign = {**away, "origin": "https://evil.example", "sec-fetch-site": "cross-site"}
    assert await ask(app, "8.8.8.8", foreign, "POST", page) == 403
    for path in ("/sandbox/payments", f"/sandbox/payments/{found.reference}", "/sandbox/payx", "/sandbox/pay"):
        assert await ask(app, "8.8.8.8", {**away, "authorization": f"Bearer {SECRET}"}, path=path) == 403


async def test_what_ended_long_ago_is_forgotten_and_what_is_open_is_not(tmp_path: Path) -> None:
    app = sandbox.create(tmp_path / "s.db")
    async with merchant() as told, till(tmp_path / "s.db", told.url, app) as one:
        paid, still = await one.made("paid"), await one.made("still")
        await one.play(paid, play="pay")
        await told.until(lambda: told.told)
        store = app.network.store
        store.execute("UPDATE payments SET created_ms = 1")
        assert await one.made("next") != paid
        assert (await one.call("GET", f"/payments/{paid}"))[0] == 404
        assert (await one.standing(still))["state"] == "open"
