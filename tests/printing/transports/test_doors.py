"""The listeners of printers: exact in what they answer, deaf to strangers, and unmoved by nonsense."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import aiohttp
import pytest

from tablegram.hooks.printers.door import Works
from tablegram.hooks.printers.epson import EpsonDoor
from tablegram.hooks.printers.star import StarDoor
from tablegram.printing.printers.model import Printer
from tablegram.settings import Settings
from tablegram.wiring.areas.printers import PrinterWays
from tests.printing.fakes.leading import Fake, fake
from tests.printing.kitchen import Kitchen, kitchen
from tests.printing.transports.ways import listening

pytestmark = pytest.mark.later


class Stand:
    """A kitchen behind a socket, and whoever calls it."""

    def __init__(self, one: Kitchen, url: str, session: aiohttp.ClientSession, stack: AsyncExitStack) -> None:
        self.one, self.url, self.session, self._stack = one, url, session, stack

    @property
    def works(self) -> Works:
        return self.one.house.product.of(PrinterWays).agents.works

    def key(self, printer: Printer) -> str:
        return self.one.house.product.box.open(printer.key_sealed)

    async def call(self, method: str, path: str, **more: Any) -> tuple[int, bytes, Any]:
        async with self.session.request(method, self.url + path, **more) as answer:
            return answer.status, await answer.read(), answer.headers

    async def agent(self, printer: Printer, call: str, **said: Any) -> tuple[int, Any]:
        body = {"agent": "one", **said}
        bearer = {"Authorization": f"Bearer {self.key(printer)}"}
        status, raw, _ = await self.call("POST", f"/print/agent/{call}", json=body, headers=bearer)
        return status, json.loads(raw) if status == 200 else raw.decode()

    def fake(self, name: str, path: str) -> Fake:
        return self._stack.enter_context(fake(name, self.url + path))


@asynccontextmanager
async def stand(database_url: str, **settings: Any) -> AsyncIterator[Stand]:
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(kitchen(database_url, **settings))
        url = await stack.enter_async_context(listening(one))
        session = await stack.enter_async_context(aiohttp.ClientSession())
        yield Stand(one, url, session, stack)


async def led(printer: Fake, do: str, **more: Any) -> dict[str, Any]:
    return await asyncio.to_thread(lambda: printer.ask(do, **more))


@pytest.mark.once
@pytest.mark.timeout(240)
async def test_star_is_answered_as_its_protocol_says(database_url: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with stand(database_url) as here:
        one = here.one
        printer = await one.printer("Kitchen", "kitchen")
        path = f"/print/cloudprnt/{here.key(printer)}"
        star = here.fake("star", path)

        # Discovery is plain HTTP, whoever asks; and nothing is ever to be kept on the way.
        status, _, _ = await here.call("GET", "/print/cloudprnt/cloudprnt-setting.json?mac=1&replaced_path=x")
        assert status == 404
        idle = await led(star, "poll")
        assert idle["answer"] == {"jobReady": False}
        assert idle["headers"]["cache-control"].startswith("no-store")
        # It was asked once what it is; with nulls for answers, and with nothing at all, it is served as well.
        for mood in ({"nulls": True}, {"bare": True}, {"nulls": False, "bare": False}):
            await led(star, "set", **mood)
            assert (await led(star, "poll"))["answer"].get("jobReady") is False

        await one.take()
        offer = (await led(star, "poll"))["answer"]
        assert offer["jobReady"] is True
        assert offer["mediaTypes"] == ["application/vnd.star.starprnt", "image/png", "text/plain"]
        # The same bytes as often as they are asked for, and nothing else happens.
        text = [await led(star, "get", media="text/plain") for _ in range(3)]
        assert len({one_of["content"] for one_of in text}) == 1
        assert text[0]["headers"]["content-type"].startswith("text/plain")
        assert (await led(star, "get", media="image/png"))["headers"]["content-type"] == "image/png"
        assert (await led(star, "get", media="application/pdf"))["status"] == 415
        assert (await led(star, "get", token="another.1"))["status"] == 404
        assert (await led(star, "poll"))["answer"]["jobReady"] is False
        assert await one.states() == ["claimed"]
        # Confirmed by GET, twice; a stranger's token, and none, change nothing.
        for token in (None, None, "another.1"):
            assert (await led(star, "confirm", by_get=True, token=token))["status"] == 200
        assert await one.states() == ["printed"]
        assert (await led(star, "get"))["status"] == 404

        # 520: again, without a mark. 511: in another form. 410: again, with a mark.
        await one.take()
        assert (await led(star, "round", download_timeout=True))["confirmed"] == 200
        assert [row["doubt"] for row in await one.queue()] == [0, 0]
        one.clock.advance(60)
        assert (await led(star, "round", code="511 Decode error"))["media"] == "application/vnd.star.starprnt"
        one.clock.advance(60)
        assert (await led(star, "poll"))["answer"]["mediaTypes"] == ["image/png", "text/plain"]
        await led(star, "confirm", code="410 Out of paper")
        assert (await one.queue())[-1]["doubt"] == 1
        one.clock.advance(60)
        assert (await led(star, "round"))["media"] == "image/png"
        assert await one.states() == ["printed", "printed"]

        for method, body, wanted in (
            ("PUT", b"", 405),
            ("POST", b"[]", 400),
            ("POST", b"x" * 20_000, 413),
            ("HEAD", b"", 415),
        ):
            assert (await here.call(method, path, data=body))[0] == wanted, (method, wanted)
        # A server that starts knows what it reads and what it gave back, and asks it nothing; but another one in its place.
        await one.take()
        known = await one.known(printer.id)
        for mac, answer in (("another", "clientAction"), ("00:11:62:1b:e4:13", "mediaTypes")):
            poll = json.dumps({"statusCode": "200%20OK", "printerMAC": mac}).encode()
            reply = await StarDoor(here.works, Settings())._poll(known, poll)
            assert answer in (said := json.loads(reply.body))
        assert said["mediaTypes"] == ["image/png", "text/plain"]
        assert here.key(printer) not in caplog.text


@pytest.mark.once
async def test_paper_in_the_printer_is_never_narrower_than_the_ticket(database_url: str) -> None:
    async with stand(database_url) as here:
        printer = await here.one.printer("Kitchen", "kitchen")
        star = here.fake("star", f"/print/cloudprnt/{here.key(printer)}")
        await led(star, "set", encodings=["text/plain"], width=48)
        await here.one.take()
        assert (await led(star, "round"))["confirmed"] == 200
        (paper,) = await asyncio.to_thread(star.papers)
        assert 20 < max(map(len, paper.decode().splitlines())) <= 32


@pytest.mark.once
async def test_nothing_is_written_for_printers_that_ask_while_nothing_waits(database_url: str) -> None:
    async with stand(database_url) as here:
        one = here.one
        star, epson = await one.printer("Star", "kitchen"), await one.printer("Epson", "kitchen", kind="epson")
        agent = await one.printer("Agent", "kitchen", kind="agent")
        await one.jobs.scan()

        async def once_each() -> None:
            poll = b'{"statusCode":"200%20OK","printerMAC":"1"}'
            assert (await here.call("POST", f"/print/cloudprnt/{here.key(star)}", data=poll))[0] == 200
            asked = {"ConnectionType": "GetRequest", "ID": "1"}
            assert (await here.call("POST", f"/print/epson/{here.key(epson)}", data=asked))[0] == 200
            assert (await here.agent(agent, "next"))[0] == 200

        # The first time each is looked up, and noted as being there.
        await once_each()
        asked: list[str] = []
        database = one.db
        for name in ("first", "all", "write", "put", "snapshot"):
            real = getattr(database, name)

            def counted(*given: Any, name: str = name, real: Any = real, **more: Any) -> Any:
                asked.append(name)
                return real(*given, **more)

            setattr(database, name, counted)
        for _ in range(10):
            await once_each()
        # A key is looked up again every few seconds; nothing is ever written.
        assert set(asked) <= {"first"}


@pytest.mark.once
@pytest.mark.timeout(240)
async def test_epson_reads_older_versions_and_hears_200(database_url: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with stand(database_url) as here:
        one = here.one
        printer = await one.printer("Kitchen", "kitchen", kind="epson", profile={"epson_version": "3.00"})
        path = f"/print/epson/{here.key(printer)}"
        epson = here.fake("epson", path)
        idle = await led(epson, "ask")
        assert (idle["status"], idle["content"], idle["headers"]["content-length"]) == (200, "", "0")
        assert idle["headers"]["content-type"] == "text/xml; charset=utf-8"
        # Old firmware refuses twice, and prints without a mark what it never printed.
        await led(epson, "set", firmware="1.00")
        await one.take()
        seen = []
        for _ in range(3):
            seen.append((await led(epson, "round"))["version"])
            one.clock.advance(60)
        assert seen == ["3.00", "2.00", "1.00"]
        assert EpsonDoor(here.works, Settings())._version(await one.known(printer.id)) == "1.00"
        (paper,) = await asyncio.to_thread(epson.papers)
        assert b"MAY HAVE" not in paper.upper()
        assert await one.states() == ["printed"]
        # Nothing came out: again without a mark. It stopped in the middle: with one.
        await one.take()
        for code, doubt in (("DeviceNotFound", 0), ("EPTR_REC_EMPTY", 1)):
            await led(epson, "round", code=code)
            assert (await one.queue())[-1]["doubt"] == doubt, code
            one.clock.advance(60)
        await led(epson, "notify", asb="0x00080008", field="ResponseFile")
        sight = one.works.watch.sight(printer.id)
        assert sight is not None
        assert sight.status.paper == "out"
        assert (await led(epson, "round"))["told"] == 200
        assert await one.states() == ["printed", "printed"]
        # Whatever it says, it hears 200, and nothing moves.
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        await one.take()
        before = await one.queue()
        bombs = '%3C!DOCTYPE a [%3C!ENTITY b "x"%3E]%3E%3Cresponse success="true"/%3E'
        for body in ("", "ConnectionType=Other", "ConnectionType=SetResponse", f"ConnectionType=SetResponse&ResponseFile={bombs}",
                     "ConnectionType=SetResponse&ResponseFile=%3Ca", "ConnectionType=SetStatus&Status=%FF", "\x00=&=%00"):  # fmt: skip
            assert (await here.call("POST", path, data=body, headers=form))[:2] == (200, b""), body
        assert await one.queue() == before
        assert (await here.call("POST", path, data=b"x" * 70_000, headers=form))[0] == 413
        assert (await here.call("GET", path))[0] == 405
        assert here.key(printer) not in caplog.text


@pytest.mark.once
@pytest.mark.timeout(240)
async def test_a_name_and_a_password_are_asked_for_where_they_are_set(database_url: str) -> None:
    async with stand(database_url) as here:
        profile = {"user": "kitchen", "password": "geheim ş"}
        star_printer = await here.one.printer("Star", "kitchen", profile=profile)
        epson_printer = await here.one.printer("Epson", "kitchen", kind="epson", profile=profile)
        star = here.fake("star", f"/print/cloudprnt/{here.key(star_printer)}")
        epson = here.fake("epson", f"/print/epson/{here.key(epson_printer)}")
        refused = await led(star, "poll")
        assert (refused["status"], refused["headers"]["www-authenticate"][:5]) == (401, "Basic")
        for algorithm in ("MD5", "SHA-256"):
            await led(epson, "set", algorithm=algorithm, digest="kitchen:wrong")
            assert (await led(epson, "ask"))["status"] == 401
            await led(epson, "set", digest="kitchen:geheim ş")
            assert (await led(epson, "ask"))["status"] == 200, algorithm
        await led(star, "set", basic="kitchen:geheim ş")
        await here.one.take()
        assert (await led(star, "round"))["confirmed"] == 200
        assert (await led(epson, "round"))["told"] == 200


@pytest.mark.once
async def test_strangers_are_not_heard_and_not_for_long(database_url: str) -> None:
    async with stand(database_url, anonymous_rate_limit=1.0, anonymous_rate_burst=5) as here:
        star = await here.one.printer("Star", "kitchen")
        agent = await here.one.printer("Agent", "kitchen", kind="agent")
        # A key opens the listener of its own kind alone.
        statuses = [
            (await here.call("POST", f"/print/{kind}/{key}", data=b"{}"))[0]
            for kind, key in (("epson", here.key(star)), ("cloudprnt", here.key(agent)), ("cloudprnt", "x" * 32))
        ]
        statuses.append((await here.call("POST", "/print/agent/next", json={"agent": "a"}))[0])
        bearer = {"Authorization": f"Bearer {here.key(star)}"}
        statuses.append((await here.call("POST", "/print/agent/next", json={"agent": "a"}, headers=bearer))[0])
        assert statuses == [404] * 5
        assert (await here.call("POST", "/print/cloudprnt/" + "y" * 32))[0] == 429


@pytest.mark.timeout(240)
async def test_agents_get_a_ticket_as_soon_as_it_is_there_and_each_its_own(database_url: str) -> None:
    async with stand(database_url) as here:
        one = here.one
        printer = await one.printer("Kitchen", "kitchen", kind="agent", profile={"host": "192.168.1.50"})
        await one.jobs.scan()
        assert await here.agent(printer, "next") == (200, {"job": None})
        # Who waits is woken by the order itself.
        waiting = asyncio.create_task(here.agent(printer, "next", wait_s=50))
        while one.house.product.whole.at("/print/agent")._places.listening == 0:  # type: ignore[attr-defined]
            await asyncio.sleep(0.01)
        await one.take()
        status, told = await waiting
        assert (status, told["job"]["device"]) == (200, "tcp://192.168.1.50:9100")
        # The answer was lost: the same agent gets the same ticket, without a mark; another one gets none.
        assert await here.agent(printer, "next") == (200, told)
        assert await here.agent(printer, "next", agent="two") == (200, {"job": None})
        job = {"job": told["job"]["id"], "fence": told["job"]["fence"]}
        assert (await here.agent(printer, "result", **{**job, "fence": 99}, outcome="printed"))[0] == 409
        assert (await here.agent(printer, "result", **job, outcome="printed"))[0] == 200
        assert (await here.agent(printer, "result", **job, outcome="printed"))[0] == 409
        # Another house's agent has no say in it.
        await one.take()
        _, second = await here.agent(printer, "next")
        stranger = await one.printer("Bar", "bar", kind="agent")
        job = {"job": second["job"]["id"], "fence": second["job"]["fence"]}
        assert (await here.agent(stranger, "result", **job, outcome="printed"))[0] == 409
        assert (await here.agent(printer, "result", **job, outcome="failed", code="device_wrong"))[0] == 200
        assert await one.states() == ["printed", "failed"]
        # What it found in its network is kept with the printer, so that every server and the next start offers it.
        assert await one.services.printers.found(one.owner, printer.id) == ()
        assert (await here.agent(printer, "state", found=["tcp://192.168.1.50:9100"]))[0] == 200
        assert (await here.agent(printer, "state"))[0] == 200
        assert await one.services.printers.found(one.owner, printer.id) == ("tcp://192.168.1.50:9100",)
        for said in (
            {"agent": ""},
            {"agent": "x" * 99},
            {"state": {"error": "DROP TABLE"}},
            {"wait_s": -1},
            {"wait_s": "x"},
        ):
            assert (await here.agent(printer, "next", **said))[0] == 400, said
        assert (await here.agent(printer, "state", found=["tcp://192.168.1.50:22"]))[0] == 400
        assert (await here.agent(printer, "other"))[0] == 404


async def test_nothing_is_claimed_for_an_agent_that_has_left(database_url: str) -> None:
    async with stand(database_url) as here:
        one = here.one
        printer = await one.printer("Kitchen", "kitchen", kind="agent")
        await one.jobs.scan()
        door: Any = one.house.product.whole.at("/print/agent")
        waiting = asyncio.create_task(here.agent(printer, "next", wait_s=50))
        while door._places.listening == 0:
            await asyncio.sleep(0.01)
        waiting.cancel()
        while door._places.listening:
            await asyncio.sleep(0.01)
        await one.take()
        await one.jobs.scan()
        assert await one.states() == ["queued"]


@pytest.mark.once
async def test_a_ticket_that_cannot_be_drawn_does_not_hold_up_the_others(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with stand(database_url) as here:
        one = here.one
        printer = await one.printer("Kitchen", "kitchen", kind="agent")
        await one.take()
        second = await one.take()
        sheets = one.house.product.of(PrinterWays).sheets
        real = sheets._document

        async def fail_once(*given: Any) -> Any:
            monkeypatch.setattr(sheets, "_document", real)
            raise KeyError("a bug of ours")

        monkeypatch.setattr(sheets, "_document", fail_once)
        assert await here.agent(printer, "next") == (200, {"job": None})
        assert [(row["state"], row["error"]) for row in await one.queue()] == [
            ("failed", "cannot_be_drawn"),
            ("queued", ""),
        ]
        _, told = await here.agent(printer, "next")
        assert second.encode() in base64.b64decode(told["job"]["content"])
