"""What the product writes by itself: any content, at the price of its category, or not at all."""

from __future__ import annotations

import pytest

from tablegram.flows.gateway.queueing import Queueing, Way
from tablegram.messaging.model import URGENT, Category, Content, Reaction, Template, Text
from tablegram.messaging.switchboard import LiveLine
from tests.contract.test_line_contract import CONTENTS
from tests.messaging.gateway import PHONE, Gateway, gateway

# What the sample card asks for a message to this country, in millionths.
PRICES: dict[Category, int] = {"service": 1_000, "utility": 1_000, "authentication": 1_000, "marketing": 10_000}

KINDS: dict[str, Content] = {
    **CONTENTS,
    "template": Template("hello", "en", [], "marketing"),
    "reaction": Reaction("wamid.1", "👍"),
}


async def put(
    one: Gateway, line: LiveLine, content: Content, category: Category | None = None, priority: int = URGENT
) -> str | None:
    queue = Queueing(one.card, one.settings, lambda account_id, line_id: one.drains.wake(line))
    way = Way(1, line.instance.id, line.instance.kind)
    key = await one.db.write(
        lambda tx: queue.put(tx, way, PHONE, content, one.clock.now_ms(), category=category, priority=priority)
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
async def test_a_message_costs_what_its_category_costs(database_url: str, category: Category) -> None:
    async with gateway(database_url, billing="prepaid") as one:
        line = await one.add_line("cloud")
        await one.spend_free_messages()
        await one.top_up(100_000)
        assert await put(one, line, Text("Hi"), category)
        row = await one.row()
        assert (row["category"], row["cost_micros"], row["priority"]) == (category, PRICES[category], URGENT)
        assert await one.balance() == 100_000 - PRICES[category]


async def test_a_template_costs_what_it_was_approved_for_unless_somebody_knows_better(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = await one.add_line("cloud")
        offer = Template("offer", "en", [], "marketing")
        await put(one, line, offer)
        await put(one, line, offer, "utility")
        await put(one, line, Text("Hi"))
        assert [(row["category"], row["cost_micros"]) for row in await one.rows()] == [
            ("marketing", PRICES["marketing"]), ("utility", PRICES["utility"]), ("service", PRICES["service"]),
        ]  # fmt: skip


async def test_what_nobody_can_pay_is_left_out_and_leaves_nothing_behind(database_url: str) -> None:
    async with gateway(database_url, billing="prepaid") as one:
        line = await one.add_line("cloud")
        await one.spend_free_messages(leave=1)
        await one.top_up(PRICES["marketing"])
        assert await put(one, line, Text("free"), "marketing")
        assert await put(one, line, Text("paid"), "service")
        # What is left pays for a service message, and not for this one.
        assert await put(one, line, Text("too dear"), "marketing") is None
        assert [row["text"] for row in await one.rows()] == ["free", "paid"]
        assert await one.balance() == PRICES["marketing"] - PRICES["service"]
        assert await put(one, line, Text("again"), "service")
