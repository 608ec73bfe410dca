"""What the sandbox's host does beyond sending: typing, checks of numbers, groups, what was missed, restrictions."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest

from tablegram.engine.leases import steady_s
from tablegram.messaging.lines.linked.frames import Event, Hello, No, Note
from tablegram.messaging.lines.linked.process import HostProcess
from tests.contract.networks import running_sandbox

OWNER, GUEST, STRANGER = "905550001122", "905551112233", "905559998877"


class Led:
    """A host on a running sandbox, told that the line is ours, and what it has said so far."""

    def __init__(
        self, url: str, http: aiohttp.ClientSession, folder: Path, settings: dict[str, str], session: str = ""
    ) -> None:
        self.url, self.http = url, http
        self.host = HostProcess("sandbox", "1", 200)
        self.events: list[dict[str, Any]] = []
        self.notes: list[Note] = []
        self._changed = asyncio.Event()
        given = {"url": url, "name": "Desk", **settings}
        self._hello: Hello = {"folder": str(folder), "session": session, "settings": given}

    async def begin(self) -> None:
        await self.host.start(self._hello, self._event, self._note)
        await self.host.lead(steady_s() + 3_600)
        await self.until(lambda: self.note("qr"))
        await self.call("POST", f"/phones/{OWNER}/devices", {"code": self.note("qr")["code"]})
        await self.until(lambda: self.note("state").get("state") == "connected")

    async def _event(self, event: Event) -> None:
        self.events.append({"kind": event.kind, "name": event.name, **msgspec.json.decode(event.data)})
        self._changed.set()

    async def _note(self, note: Note) -> None:
        self.notes.append(note)
        self._changed.set()

    def note(self, kind: str) -> dict[str, Any]:
        return next((one.data for one in reversed(self.notes) if one.kind == kind), {})

    def texts(self) -> list[str]:
        return [event["text"] for event in self.events if event["kind"] == "message"]

    async def until(self, condition: Any) -> None:
        async with asyncio.timeout(60):
            while not condition():
                self._changed.clear()
                await self._changed.wait()

    async def order(self, do: str, **given: Any) -> dict[str, Any] | No:
        return await self.host.order(do, given, 60)

    async def send(self, to: str, text: str) -> dict[str, Any] | No:
        return await self.order("send", to=to, key=text, id="", content={"type": "text", "text": text}, reply_to="")

    async def call(self, method: str, path: str, body: Any = None) -> Any:
        async with self.http.request(method, self.url + path, json=body) as answer:
            told = await answer.json()
            assert answer.status < 300, told
            return told


@asynccontextmanager
async def led(folder: Path, **settings: str) -> AsyncIterator[Led]:
    async with running_sandbox(folder / "sandbox.db") as url, aiohttp.ClientSession() as http:
        # A session that another engine has kept is none.
        made = Led(url, http, folder / "line", settings, "eJyrVkrLz1eyUkpKLFKqBQAdegQ0")
        try:
            await made.begin()
            yield made
        finally:
            await made.host.end()


async def test_typing_is_seen_numbers_are_checked_and_groups_come_only_where_wanted(tmp_path: Path) -> None:
    async with led(tmp_path) as on:
        assert on.host.ready is not None
        assert {"typing", "check", "history", "groups"} <= set(on.host.ready.can)
        # What a check may have it rehearse, a gateway may not.
        assert "rehearse" not in on.host.ready.can
        played = await on.order("rehearse", what="scan", phone=GUEST)
        assert isinstance(played, No)
        assert played.code == "unknown_order"
        async with on.http.get(f"{on.url}/phones/{GUEST}/stream") as stream:
            assert await on.order("typing", to=GUEST, state="paused") == {}
            assert await on.order("typing", to=GUEST) == {}
            async with asyncio.timeout(60):
                while b"event: typing" not in await stream.content.readline():
                    pass
            assert json.loads((await stream.content.readline()).removeprefix(b"data: "))["phone"] == GUEST

        known = await on.order("check", phone=GUEST)
        assert isinstance(known, dict)
        assert known["exists"]
        assert known["lid"].endswith("@lid")
        await on.call("POST", "/faults", {"kind": "undeliverable", "phone": STRANGER})
        assert await on.order("check", phone=STRANGER) == {"exists": False, "phone": STRANGER, "lid": ""}

        await on.call("POST", f"/phones/{GUEST}/group", {"to": OWNER, "group": "1@g.us", "text": "to all"})
        await on.call("POST", f"/phones/{GUEST}/messages", {"to": OWNER, "text": "to you"})
        await on.until(on.texts)
        assert on.texts() == ["to you"]
        # The same person under both names.
        assert on.events[0]["from"]["lid"] == known["lid"]
    async with led(tmp_path / "with groups", groups="yes") as on:
        await on.call("POST", f"/phones/{GUEST}/group", {"to": OWNER, "group": "1@g.us", "text": "to all"})
        await on.until(on.texts)
        assert (on.events[0]["group"], on.events[0]["from"]["phone"]) == ("1@g.us", GUEST)


async def test_what_was_missed_is_told_again_under_its_own_name(tmp_path: Path) -> None:
    async with led(tmp_path) as on:
        await on.call("POST", f"/phones/{GUEST}/messages", {"to": OWNER, "text": "heard"})
        await on.until(on.texts)
        await on.call("POST", "/faults", {"kind": "no_callbacks", "times": 1})
        await on.call("POST", f"/phones/{GUEST}/messages", {"to": OWNER, "text": "missed"})
        assert await on.order("history", since_ms=0) == {"told": 2}
        await on.until(lambda: "missed" in on.texts())
        names = [one["name"] for one in on.events if one["text"] == "heard"]
        assert len(names) >= 2
        assert set(names) == {names[0]}
        assert await on.order("history", since_ms=int(time.time() * 1_000) + 60_000) == {"told": 0}


@pytest.mark.slow
async def test_a_restriction_is_told_with_its_end_and_holds_what_it_must(tmp_path: Path) -> None:
    async with led(tmp_path) as on:
        await on.call("POST", f"/phones/{GUEST}/messages", {"to": OWNER, "text": "first"})
        await on.until(on.texts)
        until_ms = int(time.time() * 1_000) + 3_600_000
        restriction = {"reason": "reachout_limited", "until_ms": until_ms}
        await on.call("PUT", f"/phones/{OWNER}/restriction", restriction)
        await on.until(lambda: on.note("state").get("state") == "restricted")
        assert {name: on.note("state")[name] for name in restriction} == restriction
        assert isinstance(await on.send(GUEST, "to who wrote"), dict)
        refused = await on.send(STRANGER, "to a stranger")
        assert isinstance(refused, No)
        assert (refused.code, refused.again_s, refused.network_code) == ("reachout_limited", None, 463)

        await on.call("PUT", f"/phones/{OWNER}/restriction", {"reason": "banned", "until_ms": until_ms})
        await on.until(lambda: on.note("state")["reason"] == "banned")
        held = await on.send(GUEST, "later")
        assert isinstance(held, No)
        assert (held.code, held.holds, held.state, held.until_ms) == ("line_restricted", "line", "restricted", until_ms)
        assert held.again_s is not None
        await on.call("POST", f"/phones/{GUEST}/messages", {"to": OWNER, "text": "meanwhile"})
        await on.call("DELETE", f"/phones/{OWNER}/restriction")
        await on.until(lambda: on.note("state")["state"] == "connected" and "meanwhile" in on.texts())
        assert isinstance(await on.send(GUEST, "later"), dict)
