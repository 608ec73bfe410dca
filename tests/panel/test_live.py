"""Notices: nothing that happens between a page and its stream is missed, and nobody hears of another's."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from tablegram.panel import live
from tablegram.panel.live import Live
from tests.events.office import office
from tests.panel.visiting import house

TOPIC = re.compile(rb'"topic":"(\w+)"')


async def allowed() -> bool:
    return True


async def begins(here: Live, since: str, account: int = 1) -> tuple[bool, AsyncIterator[bytes]]:
    """Whether a stream says that anything may have changed, and what follows."""
    stream = await here.open(account, allowed, since=since)
    ready = (await anext(stream)).partition(b"data: ")[2]
    return bool(msgspec.json.decode(ready)["anything"]), stream


async def hears(stream: AsyncIterator[bytes]) -> set[bytes]:
    async with asyncio.timeout(30):
        return set(TOPIC.findall(await anext(stream)))


async def test_a_stream_begins_with_what_happened_since_its_page(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "REMEMBERED", 5)
    async with office(database_url) as one:
        here = Live(one.feed, one.bus)
        before = await here.moment(1)
        here.notice(1, "menu", ["m"])
        here.notice(2, "stores", ["foreign"])
        await one.tell("an event")
        anything, stream = await begins(here, before)
        assert (anything, await hears(stream)) == (False, {b"menu", b"messages"})
        # What its page knew already is not told again: the next is the next.
        anything, later = await begins(here, await here.moment(1))
        here.notice(1, "imports")
        assert (anything, await hears(later)) == (False, {b"imports"})
        # From the same moment for another account: only what is that account's.
        _, other = await begins(here, (await here.moment(2)).rsplit("-", 1)[0] + "-0", account=2)
        assert await hears(other) == {b"stores"}
        # Who cannot know what happened says so: another process, one that has forgotten, a word that nobody gave.
        for _ in range(5):
            here.notice(2, "stores")
        for unknown in (await Live(one.feed, one.bus).moment(1), before, "nonsense", f"{10**18}-x-1", "1--", "²-x-1"):
            assert (await begins(here, unknown))[0] is True, unknown
        # Who does not say what they know is told from now on.
        assert (await begins(here, ""))[0] is False


async def test_every_page_carries_the_moment_before_it_was_read(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        owner = await here.person()
        whole = await owner.get("/panel/contacts")
        found = re.search(r'data-since="(\d+-[0-9a-f]{8}-\d+)"', whole.text)
        assert found is not None
        assert "data-since" not in (await owner.get("/panel/contacts?part=rows")).text
