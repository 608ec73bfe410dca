"""Who may see some lines only gets their events, all of them and no others, however rare they are."""

from __future__ import annotations

import msgspec
import pytest

from tablegram.events import feed
from tests.events.office import Office, office


async def tell(one: Office, text: str, instance_id: int | None) -> None:
    body = {"event": "messages.upsert", "instance_id": instance_id, "data": {"text": text}}
    if instance_id is None:
        del body["instance_id"]
    await one.db.put(*one.planner.plan(1, "messages.upsert", body, "s"))


def text(body: bytes | msgspec.Raw) -> str:
    return str(msgspec.json.decode(bytes(body))["data"]["text"])


@pytest.mark.parametrize("limit", [1, 2, 50])
async def test_pages_lead_to_every_event_of_the_lines_and_to_no_other(
    database_url: str, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    monkeypatch.setattr(feed, "CHUNK", 3)
    monkeypatch.setattr(feed, "MAX_LOOKS", 2)
    async with office(database_url) as one:
        for number in range(40):
            await tell(one, str(number), 2 if number in (7, 8, 9, 31) else None if number % 5 == 0 else 1)
        found, after = [], None
        for _ in range(40):
            page = await one.feed.page(1, after, limit, None, within={2})
            assert len(page.data) <= limit
            found += [text(event.body) for event in page.data]
            after = page.next_cursor
            if after is None:
                break
        assert found == ["7", "8", "9", "31"]
        assert (await one.feed.page(1, None, 50, None, within=())).data == []
        assert len((await one.feed.page(1, None, 50, None)).data) == 40


async def test_a_stream_shows_the_lines_that_may_be_seen_at_that_moment(database_url: str) -> None:
    async with office(database_url) as one:
        lines = {2}

        async def within() -> set[int]:
            return lines

        async def allowed() -> bool:
            return True

        async def heard() -> str:
            frames = await one.feed.open(1, "MA", None, allowed, 0, within=within)
            return b"".join([chunk async for chunk in frames]).decode()

        await tell(one, "secret", 1)
        await tell(one, "shown", 2)
        first = await heard()
        assert ("shown" in first, "secret" in first) == (True, False)
        lines.add(1)
        assert "secret" in await heard()
