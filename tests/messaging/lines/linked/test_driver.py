"""A linked line and a host that does what a test wants: started when it is needed, asked with care, never mistaken."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import update

from tablegram.engine.leases import Lease
from tablegram.errors import Unavailable
from tablegram.messaging.lines.linked import running
from tablegram.messaging.lines.linked.contents import spelt_out
from tablegram.messaging.lines.linked.driver import LinkedLine, Way
from tablegram.messaging.lines.linked.room import Room
from tablegram.messaging.lines.outgoing_files import OutgoingFiles
from tablegram.messaging.links import LinkRow
from tablegram.messaging.model import LinkButton, Outbound, PlaceRequest, Text
from tablegram.messaging.ports import Accepted, Delayed, NetworkRefused, Outcome, Pairing
from tablegram.messaging.records.line_changes import LineChange
from tablegram.storage.database import Query
from tablegram.storage.tables import leases
from tablegram.values.http.outbound import GuardedClient, Targets
from tests.engine.waiting import until
from tests.messaging.gateway import Gateway, gateway

pytestmark = pytest.mark.once

# It is linked when a file called `scanned` lies in its folder, and notes there what it is asked to do.
HOST = """
import json, os, pathlib, select, socket, sys, time
peer = socket.socket(fileno=int(os.environ["TABLEGRAM_LINE_FD"]))
hello, held = None, b""
def say(frame):
    peer.sendall(json.dumps(frame).encode() + b"\\n")
def note(kind, **data):
    say({"note": {"kind": kind, "data": data}})
linked = False
def look():
    global linked
    if folder and not linked and (session or (folder / "scanned").exists()):
        linked = True
        note("session", session="c2Vzc2lvbg==")
        note("state", state="connected", phone="905550000001")
folder, session = None, ""
while True:
    if select.select([peer], [], [], 0.05)[0]:
        more = peer.recv(65536)
        if not more:
            while folder and (folder / "lingers").exists():
                time.sleep(0.02)
            os._exit(0)
        held += more
    look()
    while b"\\n" in held:
        raw, _, held = held.partition(b"\\n")
        frame = json.loads(raw)
        if "hello" in frame:
            folder, session = pathlib.Path(frame["hello"]["folder"]), frame["hello"]["session"]
            say({"ready": {"protocol": 1, "engine": "test", "can": ["text", "check", "typing", "history"]}})
            note("state", state="pairing", reason="waiting_for_phone")
            note("qr", code="2@code", until_ms=UNTIL)
            continue
        if "do" not in frame:
            continue
        do, given = frame["do"], frame.get("with") or {}
        with (folder / "asked").open("a") as asked:
            asked.write(f"{do}:{given['since_ms']}\\n" if do == "history" else do + "\\n")
        answer = {"ok": {}}
        if do == "pair":
            answer = {"ok": {"code": "TYPETHIS", "until_ms": [] if (folder / "odd").exists() else UNTIL}}
        elif do == "probe" and (folder / "silent").exists():
            answer = {"ok": {"heard_s": 600}}
        elif do == "check":
            answer = {"ok": {"exists": not given["phone"].endswith("0"), "lid": ""}}
        elif do == "send":
            text = given["content"]["text"]
            answer = {"ok": {"id": given["id"]}}
            if text == "restrict":
                answer = {"no": {"code": "line_restricted", "detail": "Slow down.", "again_s": 600, "holds": "line",
                                 "state": "restricted"}}
            elif text == "ban":
                note("state", state="restricted", reason="banned", until_ms=UNTIL)
            elif text == "limit":
                note("state", state="degraded", reason="reachout_limited", until_ms=UNTIL)
        elif do == "logout":
            (folder / "scanned").unlink(missing_ok=True)
            note("state", state="logged_out", reason="logged_out_here")
        say({"id": frame["id"], **answer})
"""


class Stage:
    def __init__(self, one: Gateway, line: LinkedLine, link: LinkRow, lease: Lease, folder: Path) -> None:
        self.one, self.line, self.link, self.lease, self.folder = one, line, link, lease, folder

    async def look(self) -> str:
        """As the watch does; the line's state."""
        lease = await self.one.leases.hold(self.lease.name)
        assert lease is not None
        self.lease = lease
        await self.line.led_by(self.lease)
        assert await self.line.start(_hear) is None
        return (await self.line.probe()).state

    async def until_state(self, wanted: str) -> None:
        async def there() -> bool:
            return await self.look() == wanted

        await until(there, f"the line to be {wanted}")

    async def link_phone(self) -> None:
        await self.link.seek()
        (self.folder / "scanned").parent.mkdir(parents=True, exist_ok=True)
        (self.folder / "scanned").touch()
        await self.until_state("connected")

    async def is_seen(self) -> bool:
        return (await self.link.read()).seen_at > 0

    async def send(self, text: str, to: str = "905551112233") -> Outcome:
        self.number = getattr(self, "number", 0) + 1
        return await self.line.transmit(Outbound(f"gw.{self.number}", to, Text(text)))

    def asked(self) -> list[str]:
        path = self.folder / "asked"
        told = path.read_text().split() if path.exists() else []
        return [do for do in told if do != "probe"]


async def _hear(body: bytes, name: str) -> None:
    pass


@asynccontextmanager
async def stage(database_url: str, tmp_path: Path, room: Room | None = None) -> AsyncIterator[Stage]:
    async with gateway(database_url) as one:
        made = await one.add_line("linked")
        lease = await one.leases.hold("the line")
        assert lease is not None
        link = one.links.of(1, made.instance.id)
        script = HOST.replace("UNTIL", str(one.clock.now_ms() + 3_600_000))
        way = Way(
            engine="test",
            folder=tmp_path / "line",
            max_mb=200,
            room=room or Room(5),
            command=(sys.executable, "-c", script),
        )
        files = OutgoingFiles(GuardedClient(Targets(())), None)
        line = LinkedLine(made.instance.id, way, link, one.links.care(1, made.instance.id, 100), files, lambda: None)
        try:
            yield Stage(one, line, link, lease, tmp_path / "line")
        finally:
            await line.stop()


async def test_no_program_runs_before_somebody_wants_to_pair_nor_long_after(database_url: str, tmp_path: Path) -> None:
    async with stage(database_url, tmp_path) as on:
        assert await on.look() == "pairing"
        assert not (on.folder / "asked").exists()
        waits = await on.send("too early")
        assert isinstance(waits, Delayed)
        assert "No phone is linked yet" in waits.detail
        await on.link.seek()
        await on.look()

        async def shown() -> bool:
            return isinstance(await on.line.pair(""), Pairing)

        await until(shown, "a code")
        # Nobody scanned it.
        on.one.clock.advance(601)
        assert await on.look() == "pairing"
        assert on.line._running._host is None
        await on.link_phone()
        told = await on.line.pair("")
        assert isinstance(told, NetworkRefused)
        assert told.code == "already_paired"


async def test_pairing_anew_comes_through_while_the_program_of_before_still_ends(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wish comes between the host's word that it is logged out, and its end."""
    monkeypatch.setattr("tablegram.messaging.lines.linked.process.END_WITHIN_S", 60.0)
    async with stage(database_url, tmp_path) as on:
        await on.link_phone()
        for _ in range(2):
            (on.folder / "lingers").touch()
            await on.link.log_out()
            granting = asyncio.create_task(on.look())

            async def ended() -> bool:
                return bool((await on.link.read()).ended)

            await until(ended, "the pairing to end")
            assert not granting.done()
            await on.link.seek("905551112244")
            (on.folder / "lingers").unlink()
            await granting

            async def typed() -> bool:
                await on.look()
                return (await on.link.read()).typed is not None

            await until(typed, "a code to type")
            assert (await on.link.read()).wish == ""
            (on.folder / "scanned").touch()
            await on.until_state("connected")


async def test_a_wish_to_pair_is_granted_once_though_the_host_says_no_time(database_url: str, tmp_path: Path) -> None:
    async with stage(database_url, tmp_path) as on:
        on.folder.mkdir()
        (on.folder / "odd").touch()
        await on.link.seek("905551112244")
        await on.look()
        assert (await on.link.read()).wish == ""
        await on.look()
        assert on.asked().count("pair") == 1


async def test_a_line_is_careful_with_strangers_and_quiet_while_it_is_restricted(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablegram.messaging.lines.linked.driver.TYPED_EACH_S", 0.0)
    ahead_s = 0.0
    monkeypatch.setattr(running, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + ahead_s))
    async with stage(database_url, tmp_path) as on:
        await on.link_phone()
        refused = await on.send("hello", "905551112230")
        assert isinstance(refused, NetworkRefused)
        assert refused.code == "not_on_network"
        assert isinstance(await on.send("hello"), Accepted)
        await on.one.instances.update(1, 1, LineChange(typing=True, check_numbers=False))
        assert isinstance(await on.send("hello", "905551112240"), Accepted)
        assert on.asked() == ["check", "check", "send", "typing", "send"]

        # A refusal that tells of the line itself: nothing more is asked until its time has come.
        held = await on.send("restrict")
        assert isinstance(held, Delayed)
        assert (held.line_state, await on.look()) == ("restricted", "restricted")
        before = len(on.asked())
        again = await on.send("hello")
        assert isinstance(again, Delayed)
        assert (again.code, again.holds, len(on.asked())) == ("line_restricted", "line", before)

        ahead_s = 500.0
        assert isinstance(await on.send("hello"), Delayed)
        ahead_s = 601.0
        assert isinstance(await on.send("hello"), Accepted)

        # Connected, as its host says, but nothing is heard.
        (on.folder / "silent").touch()
        assert (await on.look(), (await on.line.probe()).reason[:21]) == ("degraded", "Nothing was heard of ")
        (on.folder / "silent").unlink()
        assert await on.look() == "connected"

        # The network says until when.
        await on.send("ban")
        await on.until_state("restricted")
        health = await on.line.probe()
        assert health.until_ms is not None
        quiet = await on.send("hello")
        assert isinstance(quiet, Delayed)
        assert 3_000 < quiet.retry_after_s <= 3_600
        on.one.clock.advance(3_601)
        assert isinstance(await on.send("limit"), Accepted)


async def test_a_message_waits_when_the_line_or_the_store_is_lost_while_it_is_asked_about(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is stored already: who fails here leaves it in nobody's hands."""
    async with stage(database_url, tmp_path) as on:
        await on.link_phone()
        # What is written once the phone is linked is written: it would notice that the line is another's.
        await until(on.is_seen, "the line to be seen connected")
        with monkeypatch.context() as away:
            away.setattr(on.line._care, "admit", _is_away)
            waits = await on.send("the store is away")
        assert isinstance(waits, Delayed)
        await on.look()
        # Another process has taken the line while this one was frozen, which does not know it yet.
        taken = update(leases).where(leases.c.name == on.lease.name).values(owner_id="another", fence=99)
        await on.one.db.put((Query(taken), {}))
        assert on.lease.is_sure()
        waits = await on.send("the line is lost")
        assert isinstance(waits, Delayed)
        assert waits.code == "line_offline"
        assert "send" not in on.asked()


async def _is_away(*_: object, **__: object) -> None:
    raise Unavailable("The store cannot be reached right now.")


async def test_what_came_while_nobody_listened_is_asked_for_when_the_line_is_back(
    database_url: str, tmp_path: Path
) -> None:
    async with stage(database_url, tmp_path) as on:
        await on.link_phone()
        await until(on.is_seen, "the line to be seen connected")
        assert on.asked() == [], "nothing was missed before the phone was linked"
        at = (await on.link.read()).seen_at
        on.one.clock.advance(3_600)
        await on.line.stop()
        await on.until_state("connected")

        async def is_later() -> bool:
            return (await on.link.read()).seen_at > at

        await until(is_later, "it to be seen again")
        assert on.asked() == [f"history:{at}"]


async def test_a_machine_that_is_full_says_so(database_url: str, tmp_path: Path) -> None:
    room = Room(1)
    assert room.take("another line")
    async with stage(database_url, tmp_path, room) as on:
        await on.link.seek()
        assert await on.look() == "needs_attention"
        told = await on.line.pair("")
        assert isinstance(told, NetworkRefused)
        assert told.code == "lines_full"
        room.leave("another line")
        await on.link_phone()


def test_a_host_that_cannot_ask_for_a_place_asks_in_words() -> None:
    asked = PlaceRequest("Where to?")
    assert spelt_out(asked, ("text", "location_request")) == asked
    assert spelt_out(asked, ("text", "location")) == Text("Where to?")
    # An address stands below the text where no button opens it.
    lead = LinkButton("On its way.", "Track", "https://track.example/42")
    assert spelt_out(lead, ("text", "buttons")) == Text("On its way.\n\nTrack: https://track.example/42")
