"""Open menu pages hear of changes at once, and look together."""

from __future__ import annotations

import asyncio
import json

import pytest

from tablegram.errors import NotFound
from tablegram.flows.restaurant.answers.guests import GuestVenueStanding, VenueGlance
from tablegram.flows.restaurant.guests import watching
from tablegram.flows.restaurant.guests.watching import MenuWatch
from tablegram.menu_page import live
from tablegram.menu_page.live import Streams
from tablegram.web.live import LiveStream

STANDING = GuestVenueStanding(
    open=True, until_ms=None, opens_ms=None, takes_orders=True, orders_until_ms=None, reason="open", order_types=[],
    offers={}, payment_methods={}, rewards=False, gifts=False, closed={},
)  # fmt: skip


class Sight:
    def __init__(self) -> None:
        self.version, self.looks, self.is_gone = 1, 0, False

    async def __call__(self, venue_id: str) -> VenueGlance:
        self.looks += 1
        if self.is_gone:
            raise NotFound("gone")
        return VenueGlance(self.version, STANDING)


def version_of(frame: bytes) -> int:
    return int(json.loads(frame.partition(b"data: ")[2])["version"])


async def begun(streams: Streams) -> LiveStream:
    page = streams.open("v", "192.0.2.1")
    assert (await anext(page)).startswith(b"retry: ")
    return page


async def test_a_change_that_is_told_is_heard_at_once_by_every_page_with_one_look(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(live, "LOOK_EVERY_S", 60.0)
    monkeypatch.setattr(watching, "LOOK_EVERY_S", 60.0)
    sight = Sight()
    watch = MenuWatch(sight)
    streams = Streams(watch)
    pages = [await begun(streams) for _ in range(5)]
    first = await asyncio.gather(*(anext(page) for page in pages))
    assert [version_of(seen) for seen in first] == [1] * 5
    assert sight.looks == 1
    waiting = [asyncio.ensure_future(anext(page)) for page in pages]
    await asyncio.sleep(0)
    sight.version = 2
    watch.told("v")
    second = await asyncio.wait_for(asyncio.gather(*waiting), 30)
    assert [version_of(seen) for seen in second] == [2] * 5
    assert sight.looks == 2
    for page in pages:
        await page.aclose()
    assert ("v" in watch._bells, streams.listening) == (False, 0)


async def test_a_change_of_another_process_is_found_by_looking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "LOOK_EVERY_S", 0.02)
    monkeypatch.setattr(watching, "LOOK_EVERY_S", 0.02)
    sight = Sight()
    page = await begun(Streams(MenuWatch(sight)))
    await anext(page)
    sight.version = 7
    assert version_of(await asyncio.wait_for(anext(page), 30)) == 7
    sight.is_gone = True
    with pytest.raises(StopAsyncIteration):
        await asyncio.wait_for(anext(page), 30)


async def test_streams_end_when_the_server_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "LOOK_EVERY_S", 60.0)
    streams = Streams(MenuWatch(Sight()))
    page = await begun(streams)
    await anext(page)
    waiting = asyncio.ensure_future(anext(page))
    await asyncio.sleep(0)
    streams.close()
    with pytest.raises(StopAsyncIteration):
        await asyncio.wait_for(waiting, 30)
    assert streams.listening == 0
