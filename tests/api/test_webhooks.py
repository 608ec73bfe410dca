"""Endpoints, deliveries and events over the API."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from sqlalchemy import select
from standardwebhooks.webhooks import Webhook

from tablegram.api.schemas.integrations.webhooks import EventType
from tablegram.events.catalogue import WHEN
from tablegram.events.samples import SAMPLES
from tablegram.storage.tables import idempotency, webhooks
from tests.api.problems import check_problem
from tests.api.product_in_process import Running, product
from tests.engine.waiting import until
from tests.events.receiver import ERROR, OK, receiver
from tests.values.outbound import HOSTILE

# Statements that no flow runs: lists, sums and photos that this edge alone asks for.
pytestmark = pytest.mark.later

TARGET = "https://example.com/hooks"


async def make(one: Running, url: str = TARGET, *events: str, account: int = 1) -> dict[str, Any]:
    reply = await one.ask("POST", "/webhooks", {"url": url, "events": list(events) or ["*"]}, account=account)
    assert reply.status == 201, reply.body
    made: dict[str, Any] = reply.json()
    return made


async def deliveries(one: Running, endpoint_id: str, query: str = "") -> list[dict[str, Any]]:
    return list((await one.ask("GET", f"/webhooks/{endpoint_id}/deliveries{query}")).json()["data"])


async def until_delivered(one: Running, endpoint_id: str, count: int) -> None:
    async def there() -> bool:
        return len(await deliveries(one, endpoint_id, "?state=delivered&limit=200")) == count

    await until(there, f"{count} deliveries")


async def test_an_endpoint_shows_its_secret_once_and_is_found_changed_and_deleted(
    database_url: str, tmp_path: Path
) -> None:
    async with product(database_url, tmp_path) as one:
        made = await make(one, TARGET, "messages.upsert", "messages.update")
        assert made["secret"].startswith("whsec_")
        assert (made["url"], made["events"], made["state"]) == (
            TARGET,
            ["messages.update", "messages.upsert"],
            "active",
        )
        shown = (await one.ask("GET", f"/webhooks/{made['id']}")).json()
        assert shown == {name: value for name, value in made.items() if name != "secret"}
        assert (await one.ask("GET", "/webhooks")).json() == {"data": [shown], "next_cursor": None}
        changed = await one.ask("PATCH", f"/webhooks/{made['id']}", {"description": "Screen", "state": "disabled"})
        assert changed.json() == {
            **shown,
            "description": "Screen",
            "state": "disabled",
            "reason": "Disabled by its owner.",
        }
        active = await one.ask("PATCH", f"/webhooks/{made['id']}", {"state": "active", "events": ["*"]})
        assert (active.json()["state"], active.json()["reason"], active.json()["events"]) == ("active", "", ["*"])
        assert (await one.ask("DELETE", f"/webhooks/{made['id']}")).status == 204
        check_problem(await one.ask("GET", f"/webhooks/{made['id']}"), 404, "webhook_unknown")
        rows = await one.api.db.all(select(webhooks).where(webhooks.c.account_id == 1))
        assert made["secret"] not in str([dict(row) for row in rows])


async def test_a_secret_is_sealed_at_rest_and_in_the_kept_answer(database_url: str, tmp_path: Path) -> None:
    async with product(database_url, tmp_path) as one:
        body = {"url": TARGET, "events": ["*"]}
        headers = {"Idempotency-Key": "k1"}
        first = await one.ask("POST", "/webhooks", body, headers=headers)
        second = await one.ask("POST", "/webhooks", body, headers=headers)
        assert (second.status, second.body, second.headers["idempotent-replayed"]) == (201, first.body, "true")
        assert len((await one.ask("GET", "/webhooks")).json()["data"]) == 1
        secret = first.json()["secret"].removeprefix("whsec_")
        for table in (webhooks, idempotency):
            rows = await one.api.db.all(select(table).where(table.c.account_id == 1))
            assert rows
            assert secret not in str([dict(row) for row in rows])
        other = await one.ask("POST", "/webhooks", {**body, "events": ["messages.upsert"]}, headers=headers)
        check_problem(other, 422, "idempotency_key_reused")


@pytest.fixture(scope="module")
def refusals(databases: Any, tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, int, str]]:
    """Every hostile address once, on one product: (address, status, code)."""

    async def collect() -> list[tuple[str, int, str]]:
        found = []
        folder = tmp_path_factory.mktemp("hostile")
        async with product(databases.migrated(), folder, allowed_private_targets=(), rate_burst=10_000) as one:
            for url in HOSTILE:
                reply = await one.ask("POST", "/webhooks", {"url": url, "events": ["*"]})
                found.append((url, reply.status, reply.json().get("code", "")))
            assert (await one.ask("GET", "/webhooks")).json()["data"] == []
        return found

    return asyncio.run(collect())


def test_about_a_hundred_hostile_addresses_are_refused_at_creation(refusals: list[tuple[str, int, str]]) -> None:
    assert len(refusals) > 60
    wrong = [one for one in refusals if one[1] != 422 or one[2] not in ("target_forbidden", "blank", "too_long")]
    assert wrong == []


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({"url": TARGET}, "events", "missing"),
        ({"url": TARGET, "events": []}, "events", "too_few"),
        ({"url": TARGET, "events": ["messages.nothing"]}, "events[0]", "not_allowed"),
        ({"url": 1, "events": ["*"]}, "url", "wrong_type"),
        ({"url": TARGET, "events": ["*"], "secret": "x"}, "secret", "unknown_field"),
    ],
)
async def test_a_wrong_field_is_named(
    database_url: str, tmp_path: Path, body: dict[str, Any], field: str, code: str
) -> None:
    async with product(database_url, tmp_path) as one:
        reply = await one.ask("POST", "/webhooks", body)
        assert reply.status == 422
        assert (field, code) in [(error["field"], error["code"]) for error in reply.json()["errors"]]


async def test_an_account_sees_nothing_of_another(database_url: str, tmp_path: Path) -> None:
    async with receiver() as server, product(database_url, tmp_path) as one:
        endpoint = (await make(one, server.url))["id"]
        await one.tell("x")
        await until_delivered(one, endpoint, 1)
        delivery = (await deliveries(one, endpoint))[0]["id"]
        since = {"since": datetime.now(UTC).isoformat()}
        for method, path, body, code in (
            ("GET", f"/webhooks/{endpoint}", None, "webhook_unknown"),
            ("PATCH", f"/webhooks/{endpoint}", {"description": "mine"}, "webhook_unknown"),
            ("DELETE", f"/webhooks/{endpoint}", None, "webhook_unknown"),
            ("POST", f"/webhooks/{endpoint}/test", None, "webhook_unknown"),
            ("POST", f"/webhooks/{endpoint}/rotate-secret", None, "webhook_unknown"),
            ("POST", f"/webhooks/{endpoint}/replay", since, "webhook_unknown"),
            ("GET", f"/webhooks/{endpoint}/deliveries", None, "webhook_unknown"),
            ("GET", f"/deliveries/{delivery}", None, "delivery_unknown"),
            ("POST", f"/deliveries/{delivery}/replay", None, "delivery_unknown"),
        ):
            check_problem(await one.ask(method, path, body, account=2), 404, code)
        for path in ("/webhooks", "/events"):
            assert (await one.ask("GET", path, account=2)).json()["data"] == []
        event = (await one.ask("GET", "/events")).json()["data"][0]
        check_problem(await one.ask("GET", f"/events?after={event['id']}", account=2), 422, "cursor_invalid")
        assert len(server.seen) == 1


async def test_a_test_event_goes_to_that_endpoint_alone_and_its_outcome_is_shown(
    database_url: str, tmp_path: Path
) -> None:
    async with receiver() as server, receiver() as other, product(database_url, tmp_path) as one:
        made = await make(one, server.url, "messages.update")
        await make(one, other.url)
        await asyncio.sleep(0.05)
        assert server.connections == 0
        headers = {"Idempotency-Key": "t"}
        first = await one.ask("POST", f"/webhooks/{made['id']}/test", headers=headers)
        again = await one.ask("POST", f"/webhooks/{made['id']}/test", headers=headers)
        assert (first.status, again.body) == (202, first.body)
        await until_delivered(one, made["id"], 1)
        (seen,) = server.seen
        # Verified as a customer would, against the clock of this machine.
        assert Webhook(made["secret"]).verify(seen.body, seen.headers)["event"] == "webhook.test"
        detail = (await one.ask("GET", f"/deliveries/{first.json()['id']}")).json()
        (attempt,) = detail["attempts"]
        assert (attempt["status"], attempt["answer"], attempt["error"]) == (200, "thank you", None)
        assert attempt["latency_ms"] >= 0
        assert (detail["state"], detail["attempt_count"], detail["body"]) == ("delivered", 1, seen.json())
        assert other.seen == []
        assert (await one.ask("GET", "/events")).json()["data"] == []


async def test_a_disabled_endpoint_is_neither_tested_nor_replayed(database_url: str, tmp_path: Path) -> None:
    async with product(database_url, tmp_path) as one:
        endpoint = (await make(one))["id"]
        await one.ask("PATCH", f"/webhooks/{endpoint}", {"state": "disabled"})
        check_problem(await one.ask("POST", f"/webhooks/{endpoint}/test"), 409, "state_conflict")
        body = {"since": datetime.now(UTC).isoformat(), "until": "2099-01-01T00:00:00Z"}
        check_problem(await one.ask("POST", f"/webhooks/{endpoint}/replay", body), 409, "state_conflict")


async def test_a_rotated_secret_signs_beside_the_former_one(database_url: str, tmp_path: Path) -> None:
    async with receiver() as server, product(database_url, tmp_path) as one:
        made = await make(one, server.url)
        headers = {"Idempotency-Key": "r"}
        rotated = (await one.ask("POST", f"/webhooks/{made['id']}/rotate-secret", headers=headers)).json()
        repeated = (await one.ask("POST", f"/webhooks/{made['id']}/rotate-secret", headers=headers)).json()
        assert repeated == rotated
        assert rotated["secret"] != made["secret"]
        assert rotated["previous_secret_until"]
        await one.tell("x")
        await until_delivered(one, made["id"], 1)
        for secret in (made["secret"], rotated["secret"]):
            assert Webhook(secret).verify(server.seen[0].body, server.seen[0].headers)


async def test_one_delivery_and_a_stretch_of_time_are_replayed_under_the_same_ids(
    database_url: str, tmp_path: Path
) -> None:
    async with receiver() as server, product(database_url, tmp_path) as one:
        endpoint = (await make(one, server.url, "messages.upsert"))["id"]
        for text in ("1", "2", "3"):
            await one.tell(text)
            # A stretch of time is told in milliseconds.
            await asyncio.sleep(0.003)
        await one.tell("not wanted", kind="messages.update")
        await until_delivered(one, endpoint, 3)
        newest = (await deliveries(one, endpoint))[0]
        reply = await one.ask("POST", f"/deliveries/{newest['id']}/replay")
        assert (reply.status, reply.json()["state"], reply.json()["delivered_at"]) == (202, "pending", None)
        await until(lambda: len(server.seen) == 4)
        assert server.ids()[3] == newest["event_id"]
        await until_delivered(one, endpoint, 3)
        since = {"since": "2020-01-01T00:00:00Z"}
        check_problem(await one.ask("POST", f"/webhooks/{endpoint}/replay", since), 422, "out_of_range")
        empty = {"since": "2099-01-01T00:00:00Z", "until": "2098-01-01T00:00:00Z"}
        check_problem(await one.ask("POST", f"/webhooks/{endpoint}/replay", empty), 422, "range_empty")
        created = (await one.ask("GET", "/events")).json()["data"][1]["created_at"]
        headers = {"Idempotency-Key": "again"}
        for _ in range(2):
            reply = await one.ask("POST", f"/webhooks/{endpoint}/replay", {"since": created}, headers=headers)
            assert (reply.status, reply.json()) == (202, {"status": "success", "count": 2})
        await until(lambda: len(server.seen) == 6)
        assert server.ids()[4:] == server.ids()[1:3]
        await asyncio.sleep(0.1)
        assert len(server.seen) == 6


async def test_deliveries_are_listed_by_state_and_page_by_page(database_url: str, tmp_path: Path) -> None:
    async with receiver(script=[OK, OK, OK], usual=ERROR) as server, product(database_url, tmp_path) as one:
        endpoint = (await make(one, server.url))["id"]
        for text in "abcde":
            await one.tell(text)
        await until_delivered(one, endpoint, 3)

        async def refused() -> bool:
            return any(row["last_error"] for row in await deliveries(one, endpoint))

        await until(refused)
        assert len(await deliveries(one, endpoint, "?state=pending")) == 2
        found, cursor = [], ""
        while True:
            page = (await one.ask("GET", f"/webhooks/{endpoint}/deliveries?limit=2{cursor}")).json()
            found += page["data"]
            if page["next_cursor"] is None:
                break
            cursor = f"&cursor={page['next_cursor']}"
        assert [row["event_id"] for row in found] == sorted([row["event_id"] for row in found], reverse=True)
        assert len(found) == 5
        failed = next(row for row in found if row["last_error"])
        assert (failed["last_status"], failed["last_error"], failed["state"]) == (500, "HTTP 500", "pending")
        assert failed["next_attempt_at"] is not None


async def test_the_feed_gives_everything_in_order_and_goes_on_from_a_cursor_or_an_id(
    database_url: str, tmp_path: Path
) -> None:
    async with product(database_url, tmp_path) as one:
        for number in range(5):
            await one.tell(f"{number}", kind="messages.upsert" if number % 2 else "messages.update")
        page = (await one.ask("GET", "/events?limit=3")).json()
        assert [event["body"]["data"]["text"] for event in page["data"]] == ["0", "1", "2"]
        rest = (await one.ask("GET", f"/events?after={page['next_cursor']}")).json()
        assert [event["body"]["data"]["text"] for event in rest["data"]] == ["3", "4"]
        assert rest["next_cursor"] is None
        assert (await one.ask("GET", f"/events?after={page['data'][2]['id']}")).json() == rest
        assert (await one.ask("GET", f"/events?after={page['data'][2]['cursor']}")).json() == rest
        odd = (await one.ask("GET", "/events?type=messages.upsert")).json()["data"]
        assert [event["body"]["data"]["text"] for event in odd] == ["1", "3"]
        last = rest["data"][-1]["cursor"]
        assert (await one.ask("GET", f"/events?after={last}")).json() == {"data": [], "next_cursor": None}
        for wrong in ("after=x", "after=evt_nothing", "type=nothing", "limit=0"):
            assert (await one.ask("GET", f"/events?{wrong}")).status == 422


async def test_there_is_a_sample_of_every_event(database_url: str, tmp_path: Path) -> None:
    async with product(database_url, tmp_path) as one:
        data = (await one.ask("GET", "/events/samples")).json()["data"]
        assert [sample["event"] for sample in data] == list(WHEN)
        assert all(sample["body"] == SAMPLES[sample["event"]] for sample in data)
        assert len({sample["id"] for sample in data}) == len(data)
        only = (await one.ask("GET", "/events/samples?type=messages.update")).json()["data"]
        assert [sample["body"]["data"]["status"] for sample in only] == ["read"]


def test_the_api_names_the_events_that_there_are() -> None:
    assert list(get_args(EventType)) == list(WHEN)
    assert set(SAMPLES) == {*WHEN, "webhook.test"}
    for kind, sample in SAMPLES.items():
        assert msgspec.json.decode(msgspec.json.encode(sample))["event"] == kind


async def test_an_account_has_so_many_endpoints_and_no_more(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablegram.events.endpoints.MAX_ENDPOINTS", 2)
    async with product(database_url, tmp_path) as one:
        for _ in range(2):
            await make(one)
        reply = await one.ask("POST", "/webhooks", {"url": TARGET, "events": ["*"]})
        check_problem(reply, 409, "too_many_webhooks")
