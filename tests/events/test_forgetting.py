"""Events are kept for 30 days with their deliveries and attempts, and longer while they are still to be delivered."""

from __future__ import annotations

from sqlalchemy import func, select

from tablegram.events.forgetting import forget
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import deliveries, delivery_attempts, events
from tests.events.office import Office, office
from tests.events.receiver import ERROR, receiver


async def counts(one: Office) -> list[int]:
    found = []
    for table in (events, deliveries, delivery_attempts):
        row = await one.db.first(
            across_accounts(select(func.count().label("n")).select_from(table), "a test counts all")
        )
        assert row is not None
        found.append(int(row["n"]))
    return found


async def test_what_is_old_is_forgotten_and_what_is_pending_is_kept(database_url: str) -> None:
    async with receiver() as server, receiver(usual=ERROR) as bad, office(database_url) as one:
        good = await one.add(server.url, "messages.upsert")
        await one.add(bad.url, "messages.update")
        for account_id in (1, 2):
            await one.tell("old", account_id=account_id)
        await one.until_states(good, "delivered")
        await one.tell("old and pending", kind="messages.update")
        await one.later(0)
        edge = one.clock.now_ms()
        await one.tell("new")
        await one.until_states(good, "delivered", "delivered")
        assert (await counts(one))[0] == 4
        assert await forget(one.db, edge) == 2
        assert await counts(one) == [2, 2, 2]
        assert await forget(one.db, edge) == 0
        assert [event.body for event in (await one.feed.page(1, None, 10, None)).data]
        assert await one.states(good) == ["delivered"]
