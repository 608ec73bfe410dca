"""What the product writes by itself: any content, at the price of its category, or not at all."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tablegram.drivers import open_vault
from tablegram.flows.files.attachments import Attachments
from tablegram.flows.gateway.queueing import Queueing, Way
from tablegram.media.spool import Spool
from tablegram.messaging.model import URGENT, Category, Content, Reaction, Template, Text
from tablegram.messaging.switchboard import LiveLine
from tablegram.values.clock import DAY_MS, HOUR_MS
from tests.contract.test_line_contract import CONTENTS
from tests.messaging.gateway import PHONE, Gateway, gateway

# What the sample card asks for a message to this country, in millionths.
PRICES: dict[Category, int] = {"service": 1_000, "utility": 1_000, "authentication": 1_000, "marketing": 10_000}
OFFER = Template("offer", "en", [], "marketing")

KINDS: dict[str, Content] = {
    **CONTENTS,
    "template": Template("hello", "en", [], "marketing"),
    "reaction": Reaction("wamid.1", "👍"),
}


async def put(
    one: Gateway, line: LiveLine, content: Content, category: Category | None = None, **how: Any
) -> str | None:
    queue = Queueing(one.card, one.settings, lambda account_id, line_id: one.drains.wake(line))
    way = Way(1, line.instance.id, line.instance.kind)
    key = await one.db.write(
        lambda tx: queue.put(
            tx, way, PHONE, content, one.clock.now_ms(), **{"category": category, "priority": URGENT, **how}
        )
    )
    queue.wake(1, line.instance.id)
    return key


@pytest.mark.parametrize("content", KINDS.values(), ids=KINDS)
async def test_every_kind_of_content_goes_out_as_it_was_given(database_url: str, content: Content) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        key = await put(one, line, content)
        await one.until_states("sent")
        (seen,) = one.network(line).seen
        assert (seen.content, seen.phone, seen.correlation) == (content, PHONE, f"gw.{key}")


@pytest.mark.parametrize("category", PRICES)
async def test_words_cost_what_words_cost_whatever_they_are_for(database_url: str, category: Category) -> None:
    async with gateway(database_url, billing="prepaid") as one:
        line = await one.add_line("cloud")
        await one.spend_free_messages()
        await one.top_up(100_000)
        assert await put(one, line, Text("Hi"), category)
        row = await one.row()
        assert (row["category"], row["cost_micros"], row["priority"]) == (category, PRICES["service"], URGENT)
        assert await one.balance() == 100_000 - PRICES["service"]


async def test_a_template_costs_what_it_was_approved_for_whatever_it_is_for(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        await put(one, line, OFFER)
        await put(one, line, OFFER, "utility")
        await put(one, line, Text("Hi"))
        assert [(row["category"], row["cost_micros"]) for row in await one.rows()] == [
            ("marketing", PRICES["marketing"]), ("utility", PRICES["marketing"]), ("service", PRICES["service"]),
        ]  # fmt: skip


async def test_what_nobody_can_pay_is_left_out_and_leaves_nothing_behind(database_url: str) -> None:
    async with gateway(database_url, billing="prepaid") as one:
        line = await one.add_line("cloud")
        await one.spend_free_messages(leave=1)
        await one.top_up(PRICES["marketing"])
        assert await put(one, line, OFFER)
        assert await put(one, line, Text("paid"), "service")
        # What is left pays for a service message, and not for this one.
        assert await put(one, line, OFFER) is None
        assert [row["type"] for row in await one.rows()] == ["template", "text"]
        assert await one.balance() == PRICES["marketing"] - PRICES["service"]
        assert await put(one, line, Text("again"), "service")


async def test_what_is_for_later_waits_until_then(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        now = one.clock.now_ms()
        await put(one, line, Text("tomorrow"), at=now + DAY_MS)
        await put(one, line, Text("an hour ago"), at=now - HOUR_MS)
        await one.until_states("queued", "sent")
        later, sooner = await one.rows()
        assert (later["due_at"], sooner["created_at"]) == (now + DAY_MS, now)
        assert later["expires_at"] - later["due_at"] == sooner["expires_at"] - sooner["created_at"]
        await one.later(DAY_MS / 1_000)
        await one.until_states("sent", "sent")


async def test_a_file_of_ours_stays_as_long_as_its_message_needs_it(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        files = Attachments(
            one.db, open_vault(one.settings), Spool(one.settings.data_dir / "incoming"), one.clock, one.idempotency, ""
        )
        made = await files.keep(one.caller, receipt(), "receipt.pdf")
        content = await files.content(one.caller, made.id, "Your receipt")
        await put(one, line, content, at=one.clock.now_ms() + 3 * DAY_MS, media_id=made.id)
        # What was uploaded and never sent is gone by then.
        await one.later(2 * DAY_MS / 1_000)
        await one.retention.purge()
        await one.later(DAY_MS / 1_000)
        await one.until_states("sent")
        (seen,) = one.network(line).seen
        assert seen.content == content


async def receipt() -> AsyncIterator[bytes]:
    yield b"%PDF-1.4\n%%EOF\n"
