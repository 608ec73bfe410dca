"""A host of any kind: one that says nonsense, too much or nothing is ended alone, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import textwrap
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tablegram.engine.leases import steady_s
from tablegram.linehost.journal import Journal
from tablegram.messaging.incoming import IdentityChange, InboundMessage, MessageChange, StatusUpdate, UnknownChange
from tablegram.messaging.lines.linked import parsing
from tablegram.messaging.lines.linked.frames import Event, Note
from tablegram.messaging.lines.linked.process import HostGone, HostProcess
from tests.cases import cases

# Processes of their own.
pytestmark = pytest.mark.slow

# Answers the greeting, and then does what a test wants.
BEGIN = """
import json, os, socket, sys, time
peer = socket.socket(fileno=int(os.environ["TABLEGRAM_LINE_FD"]))
lines = peer.makefile("rb")
hello = json.loads(lines.readline())
def say(frame):
    peer.sendall(json.dumps(frame).encode() + b"\\n")
say({"ready": {"protocol": 1, "engine": "test", "can": []}})
"""


class Heard:
    def __init__(self) -> None:
        self.events: list[Event] = []
        self.notes: list[Note] = []

    async def event(self, event: Event) -> None:
        self.events.append(event)

    async def note(self, note: Note) -> None:
        self.notes.append(note)


@asynccontextmanager
async def host(script: str, tmp_path: Path, max_mb: int = 200) -> AsyncIterator[tuple[HostProcess, Heard]]:
    made = HostProcess("test", "1", max_mb, [sys.executable, "-c", BEGIN + textwrap.dedent(script)])
    heard = Heard()
    await made.start({"folder": str(tmp_path), "session": "", "settings": {}}, heard.event, heard.note)
    try:
        yield made, heard
    finally:
        await made.end()


async def until(condition: Any) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.02)


HOSTILE = {
    "garbage": 'peer.sendall(b"\\x00\\xff garbage\\n"); time.sleep(60)',
    "not an object": 'peer.sendall(b"[1, 2]\\n"); time.sleep(60)',
    "no meaning": "say({}); time.sleep(60)",
    "wrong types": 'say({"event": {"n": "one", "kind": 1}}); time.sleep(60)',
    "a frame without an end": 'peer.sendall(b"a" * 3_000_000); time.sleep(60)',
    "a deep frame": 'peer.sendall(b"[" * 900_000 + b"\\n"); time.sleep(60)',
    "the end": "sys.exit(3)",
    "a crash": "os.abort()",
}


async def test_whatever_a_host_does_wrong_ends_it_and_whoever_waits_is_told(tmp_path: Path) -> None:
    with cases() as found:
        for name, script in HOSTILE.items():
            with found.case(name):
                async with host(script, tmp_path) as (made, heard):
                    with pytest.raises(HostGone):
                        await made.order("probe", {}, 60)
                    assert not made.is_alive
                    assert made.why
                    await until(lambda m=made: m.exit_code is not None)
                    assert heard.events == []


async def test_a_host_that_grows_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablegram.messaging.lines.linked.process.WATCH_S", 0.05)
    async with host("held = b'x' * (300 << 20); time.sleep(60)", tmp_path, max_mb=100) as (made, _):
        await until(lambda: not made.is_alive)
        assert "MB of memory" in made.why


async def test_a_host_that_never_greets_or_speaks_another_version_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablegram.messaging.lines.linked.process.READY_WITHIN_S", 1.0)
    monkeypatch.setattr("tablegram.messaging.lines.linked.process.END_WITHIN_S", 0.5)
    for script in ("import time; time.sleep(60)", BEGIN.replace('"protocol": 1', '"protocol": 7')):
        made, heard = HostProcess("test", "1", 200, [sys.executable, "-c", script]), Heard()
        with pytest.raises(HostGone):
            await made.start({"folder": str(tmp_path), "session": "", "settings": {}}, heard.event, heard.note)
        assert made.exit_code is not None


async def test_an_engine_that_is_not_there_is_told_by_its_exit(tmp_path: Path) -> None:
    made, heard = HostProcess("none", "1", 200, [sys.executable, "-c", "import sys; sys.exit(69)"]), Heard()
    with pytest.raises(HostGone):
        await made.start({"folder": str(tmp_path), "session": "", "settings": {}}, heard.event, heard.note)
    assert made.exit_code == 69


async def test_a_host_gets_none_of_the_servers_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLEGRAM_SECRET_KEY", "secret")
    script = 'say({"note": {"kind": "env", "data": dict(os.environ)}}); time.sleep(60)'
    async with host(script, tmp_path) as (_, heard):
        await until(lambda: heard.notes)
        assert "TABLEGRAM_SECRET_KEY" not in heard.notes[0].data


async def test_a_host_that_was_frozen_lets_go_of_the_network_before_it_does_anything(tmp_path: Path) -> None:
    """The engine's own host: its server stays silent, and what waits in the socket when it wakes is not carried out."""
    made, heard = HostProcess("sandbox", "1", 200), Heard()
    settings = {"url": "http://127.0.0.1:9/sandbox", "name": "x"}
    await made.start({"folder": str(tmp_path), "session": "", "settings": settings}, heard.event, heard.note)
    try:
        led_until = 0.0
        # Led again and again: on a busy machine a second may be over before the host has done anything with it.
        while not any(note.data.get("reason") == "unreachable" for note in heard.notes):
            led_until = steady_s() + 1.0
            await made.lead(led_until)
            await asyncio.sleep(0.05)
        assert made.pid is not None
        os.kill(made.pid, signal.SIGSTOP)
        asked = asyncio.create_task(made.order("send", {"to": "1", "key": "k", "content": {}}, 60))
        while steady_s() < led_until + 0.5:
            await asyncio.sleep(0.05)
        os.kill(made.pid, signal.SIGCONT)
        refused: Any = await asked
        assert refused.code == "unled"
        await until(lambda: heard.notes[-1].data.get("reason") == "unled")
    finally:
        await made.end()
    assert not Path(f"/proc/{made.pid}").exists()


def test_a_journal_keeps_what_was_not_taken_whenever_the_host_dies(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    for number in range(3):
        assert journal.add("message", f"m:{number}", {"text": "ğ" * 10})
    assert journal.add("message", "m:1", {}) is None, "the network told it again"
    assert journal.take(2)
    with (tmp_path / "events").open("ab") as file:
        file.write(b'{"n": 9, "kind": "mess')
    again = Journal(tmp_path)
    # What was taken may be told again: the gateway knows it by its name.
    assert {event["name"] for event in again.waiting.values()} >= {"m:0", "m:2"}
    for number in list(again.waiting):
        again.take(number)
    assert Journal(tmp_path).waiting == {}


def test_what_a_host_tells_is_understood_or_stays_visible() -> None:
    person = '{"phone": "905551112233", "lid": "1@lid", "name": "Ayşe"}'
    message = f'{{"id": "A", "at_ms": 5, "type": "text", "text": "Hi", "from": {person}}}'
    (one,) = parsing.parse(f'{{"kind": "message", "data": {message}}}'.encode())
    assert isinstance(one, InboundMessage)
    assert (one.sender_phone, one.sender_user_id, one.text, one.type) == ("905551112233", "1@lid", "Hi", "text")
    (changed,) = parsing.parse(f'{{"kind": "revoke", "data": {message}}}'.encode())
    assert isinstance(changed, MessageChange)
    assert changed.kind == "deleted"
    (read,) = parsing.parse(b'{"kind": "receipt", "data": {"id": "A", "status": "read", "at_ms": 5, "key": "gw.1"}}')
    assert isinstance(read, StatusUpdate)
    assert (read.correlation, read.status) == ("gw.1", "read")
    (moved,) = parsing.parse(f'{{"kind": "identity", "data": {person[:-1]}, "at_ms": 5}}}}'.encode())
    assert isinstance(moved, IdentityChange)
    assert (moved.user_ids, moved.at_ms) == (("1@lid",), 5)
    for odd in (
        '{"kind": "moon", "data": {}}',
        '{"kind": "message", "data": {"id": 7}}',
        '{"kind": "receipt", "data": []}',
        '{"kind": "identity", "data": {"phone": "905551112233", "lid": "1@lid", "at_ms": "now"}}',
    ):
        (unknown,) = parsing.parse(odd.encode())
        assert isinstance(unknown, UnknownChange)
