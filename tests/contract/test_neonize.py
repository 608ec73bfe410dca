"""What every kind of line promises, by the library `neonize` itself, as far as that goes without its network."""

from __future__ import annotations

import asyncio
import importlib.util
from pathlib import Path

import pytest

from tablegram.messaging.lines.linked import words
from tablegram.messaging.lines.linked.driver import LinkedLine, Way
from tablegram.messaging.lines.linked.room import Room
from tablegram.messaging.lines.outgoing_files import OutgoingFiles
from tablegram.messaging.links import Links
from tablegram.messaging.model import Location, Outbound, Text
from tablegram.messaging.ports import Delayed
from tablegram.settings import Settings
from tablegram.storage.database import open_database
from tablegram.values.clock import Clock
from tablegram.values.http.outbound import GuardedClient, Targets
from tablegram.values.secrets import SecretBox
from tests.contract.networks import LOOPBACK, Led, _keep_nothing

# Processes of their own.
pytestmark = [pytest.mark.slow, pytest.mark.once, pytest.mark.timeout(180)]

if importlib.util.find_spec("neonize") is None:
    pytest.skip("the extra 'linked' is not installed", allow_module_level=True)

# Nobody listens there, so that nothing leaves this machine.
CLOSED = {"proxy": "socks5://127.0.0.1:9", "name": "Desk"}


async def test_a_line_that_is_kept_from_its_network_says_so_delays_everything_and_leaves_nothing(
    database_url: str, tmp_path: Path
) -> None:
    db = open_database(Settings(database_url=database_url, data_dir=tmp_path))
    fetcher = GuardedClient(Targets(LOOPBACK))
    await db.open()
    links = Links(db, SecretBox("k" * 43), Clock())
    way = Way(engine="neonize", settings=CLOSED, folder=tmp_path / "1", max_mb=400, room=Room(10))
    line = LinkedLine(1, way, links.of(1, 1), links.care(1, 1, 0), OutgoingFiles(fetcher, None), lambda: None)
    try:
        await line.led_by(Led())  # type: ignore[arg-type]
        await links.of(1, 1).seek()
        assert await line.start(_keep_nothing) is None
        async with asyncio.timeout(90):
            while (health := await line.probe()).reason == words.STARTING:
                await asyncio.sleep(0.05)
        assert health.state == "disconnected"
        assert health.reason == "The network cannot be reached: it refuses the connection."
        # Surely not sent, so that it goes once there is a network.
        for content in (Text("Hi"), Location(41.0, 29.0, "Pier", "Sea 1")):
            outcome = await line.transmit(Outbound("c1", "905551112233", content))
            assert isinstance(outcome, Delayed), outcome
        assert len(_hosts()) == 1
        # Started again it is the same line, and ended twice it is ended.
        assert await line.start(_keep_nothing) is None
    finally:
        await line.stop()
        await line.stop()
        await fetcher.close()
        await db.close()
    async with asyncio.timeout(30):
        while _hosts():
            await asyncio.sleep(0.05)


def _hosts() -> list[str]:
    """The line's programs, which are children of this process."""
    found = []
    for one in Path("/proc/self/task").glob("*/children"):
        for child in one.read_text().split():
            try:
                command = Path(f"/proc/{child}/cmdline").read_bytes()
            except OSError:
                continue
            if b"tablegram.linehost" in command and b"neonize" in command:
                found.append(child)
    return found
