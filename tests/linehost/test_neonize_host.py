"""The library `neonize` itself, in a host of its own: loaded, started, kept from the network, and honest about it."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from pathlib import Path

import pytest

from tablegram.engine.leases import steady_s
from tablegram.linehost.checking.alone import it_answers_each_order_once, it_ends_with_its_gateway
from tablegram.linehost.checking.trial import try_host
from tablegram.messaging.lines.linked import words
from tablegram.messaging.lines.linked.frames import Event, No, Note
from tablegram.messaging.lines.linked.process import HostProcess
from tablegram.values import string
from tests.linehost.device_file import keeps_a_session

# Processes of their own.
pytestmark = pytest.mark.slow

if importlib.util.find_spec("neonize") is None:
    pytest.skip("the extra 'linked' is not installed", allow_module_level=True)

# Nobody listens there, so that nothing leaves this machine.
CLOSED = {"proxy": "socks5://127.0.0.1:9", "name": "Desk"}
MAX_OWN_MB = 45


async def test_a_host_that_is_kept_from_the_network_says_so_and_loses_nothing(tmp_path: Path) -> None:
    host, notes, said = HostProcess("neonize", "1", 400), [], asyncio.Event()

    async def event(_: Event) -> None:
        raise AssertionError("nothing was heard")

    async def note(told: Note) -> None:
        notes.append(told.data)
        said.set()

    ready = await host.start({"folder": str(tmp_path), "session": "", "settings": CLOSED}, event, note)
    try:
        assert ready.engine == "neonize"
        assert {"text", "image", "location", "contacts", "reaction", "read", "typing", "check"} <= set(ready.can)
        await host.lead(steady_s() + 600)
        async with asyncio.timeout(60):
            await said.wait()
        told = notes[0]
        assert (told["state"], told["reason"]) == ("disconnected", "unreachable")
        plain = words.reason(string(told["reason"]), string(told["detail"]))
        assert plain == "The network cannot be reached: it refuses the connection."
        content = {"type": "text", "text": "Hi"}
        no = await host.order("send", {"to": "905551112233", "key": "k", "id": "x", "content": content}, 60)
        assert isinstance(no, No)
        assert (no.code, no.sent, no.holds, no.again_s is not None) == ("line_offline", "no", "line", True)
        assert host.pid is not None
        assert own_mb(host.pid) < MAX_OWN_MB
    finally:
        await host.end()
    assert host.exit_code is not None
    keeps_a_session(tmp_path)


def own_mb(pid: int) -> float:
    """Memory that no other process shares."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1_024


def test_it_keeps_to_the_protocol_as_far_as_it_can_be_tried_without_a_network(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tablegram.linehost", "neonize"]
    tried = [it_answers_each_order_once, it_ends_with_its_gateway]
    found = list(try_host(command, tmp_path, CLOSED, 60.0, tried))
    assert [one for one in found if not one.held] == []
