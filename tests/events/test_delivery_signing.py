"""An endpoint can tell that an event is ours: every attempt is signed, with both secrets while they change."""

from __future__ import annotations

from standardwebhooks.webhooks import Webhook

from tests.events.office import Office, office
from tests.events.receiver import (
    ERROR,
    Seen,
    receiver,
)
from tests.measured import measured, since


async def test_an_event_is_posted_as_it_is_with_a_signature_that_the_reference_library_accepts(
    database_url: str,
) -> None:
    async with receiver() as server, office(database_url) as one:
        endpoint = await one.add(server.url, "messages.upsert")
        event_id = await one.tell("çay")
        await one.until_states(endpoint, "delivered")
        (seen,) = server.seen
        assert (seen.path, seen.id, seen.headers["content-type"]) == ("/hook", event_id, "application/json")
        assert seen.json() == {"event": "messages.upsert", "data": {"text": "çay"}}
        # The library compares with the machine's own clock; the movable one is far ahead of it.
        assert_signed(one, endpoint, seen)


def assert_signed(one: Office, endpoint: str, seen: Seen, secret: str | None = None) -> None:
    library = Webhook(secret or one.secrets[endpoint])
    stamp = int(seen.headers["webhook-timestamp"])
    assert abs(stamp - one.clock.now_ms() // 1_000) < 86_400
    from datetime import UTC, datetime

    expected = library.sign(seen.id, datetime.fromtimestamp(stamp, UTC), seen.body.decode())
    assert expected in seen.headers["webhook-signature"].split(" ")


async def test_every_attempt_is_signed_for_its_own_time_under_the_same_id(database_url: str) -> None:
    async with receiver(script=[ERROR, ERROR]) as server, office(database_url) as one:
        endpoint = await one.add(server.url)
        before, refused = measured("event_lag_seconds"), measured("delivery_seconds", outcome="refused")
        await one.tell("x")
        for _ in range(2):
            await one.settle()
            await one.later(6)
        await one.until_states(endpoint, "delivered")
        stamps = [int(seen.headers["webhook-timestamp"]) for seen in server.seen]
        assert len(set(stamps)) == 3
        assert len(set(server.ids())) == 1
        # The wait for both retries is a part of how late the event was.
        count, seconds = since(before, "event_lag_seconds")
        assert (count, since(refused, "delivery_seconds", outcome="refused")[0]) == (1, 2)
        assert seconds >= 12
        for seen in server.seen:
            assert_signed(one, endpoint, seen)


async def test_a_rotation_signs_with_both_secrets_for_a_day(database_url: str) -> None:
    async with receiver() as server, office(database_url) as one:
        endpoint = await one.add(server.url, "messages.upsert")
        old = one.secrets[endpoint]
        made = await one.db.write(lambda tx: one.endpoints.rotate(tx, 1, endpoint))
        await one.endpoints.changed(1, endpoint)
        await one.tell("both")
        await one.until_states(endpoint, "delivered")
        assert_signed(one, endpoint, server.seen[0], old)
        assert_signed(one, endpoint, server.seen[0], made.secret)
        await one.later(25 * 3_600)
        one.deliveries.wake(1, endpoint, changed=True)
        await one.tell("new only")
        await one.until_states(endpoint, "delivered", "delivered")
        assert len(server.seen[1].headers["webhook-signature"].split(" ")) == 1
        assert_signed(one, endpoint, server.seen[1], made.secret)
