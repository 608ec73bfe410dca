"""What a text says of each customer: their points, and what they ate last."""

from __future__ import annotations

from functools import partial
from typing import Any

import msgspec
from sqlalchemy import insert

from tablegram.campaigns import filling
from tablegram.campaigns.model import Plan
from tablegram.engine.idempotency import Call
from tablegram.flows.campaigns.message.wording import Wording
from tablegram.flows.gateway.answers.templates import show
from tablegram.loyalty import ledger, programme
from tablegram.loyalty.ledger import Cause
from tablegram.loyalty.model import Programme, Rate
from tablegram.messaging.model import Template
from tablegram.messaging.rows.lines import TemplateRow
from tablegram.panel.pages.campaigns.network_texts import Shape
from tablegram.restaurant.figures.model import Counted, write
from tablegram.restaurant.figures.store import counting as figures
from tablegram.storage.database import Query, Tx
from tablegram.storage.query import columns
from tablegram.storage.tables import menu_items
from tablegram.values import dicts
from tests.campaigns.office import Office, office
from tests.restaurant.figures.test_figures_over_time import item

TEXT = "{{first_name}}: {{points|0}} points, your {{last_item|favourite dish}}"
_ITEM = Query(insert(menu_items).values(columns(menu_items)))


async def _ordered(tx: Tx, contact_id: str, orders: list[tuple[int, dict[str, int]]]) -> None:
    for at, dishes in orders:
        counted = Counted(
            account_id=1, order_key=f"{contact_id}-{at}", contact_id=contact_id, at=at, venue_id="v", order_type="takeaway",
            currency="TRY", amount=1, dishes=dishes, categories={},
        )  # fmt: skip
        await tx.run(figures.KEEP, write(counted))
    which = {"b_account": 1, "b_contact": contact_id}
    await tx.run(figures.HOLD, which)
    sums = {"new_orders": len(orders), "new_first_at": orders[0][0], "new_last_at": orders[-1][0]}
    await tx.run(figures.FIGURES, {**which, **sums})


async def _fill(one: Office, ids: list[str]) -> None:
    now = one.clock.now_ms()

    async def work(tx: Tx) -> None:
        english = msgspec.json.encode({"en": {"name": "Lentil soup"}}).decode()
        await tx.run(_ITEM, {**item("lentil", "soups"), "name": "Mercimek", "translations": english})
        await tx.run(_ITEM, {**item("tea", "drinks"), "name": "Çay", "translations": "{}"})
        await tx.run(_ITEM, {**item("secret", "soups"), "name": "Secret", "translations": "{}", "is_hidden": 1})
        await _ordered(tx, ids[0], [(now - 9, {"tea": 9}), (now - 5, {"lentil": 2, "tea": 1})])
        await _ordered(tx, ids[1], [(now - 5, {"tea": 1})])
        await _ordered(tx, ids[2], [(now - 5, {"secret": 1})])
        await _ordered(tx, ids[3], [(now - 5, {"gone": 1})])
        await programme.keep(tx, Programme(account_id=1, is_on=True, rates={"TRY": Rate(100, 10)}))
        await ledger.add(tx, 1, ids[0], "adjust", 1_250, Cause(name="a"), now)
        await ledger.add(tx, 1, ids[1], "adjust", 3, Cause(name="b"), now)
        await ledger.take(tx, 1, ids[1], "adjust", 3, Cause(name="c"), now, all_or_nothing=True)

    await one.db.write(work)


async def test_everybody_reads_their_own_points_and_dish_or_what_stands_behind_the_bar(database_url: str) -> None:
    async with office(database_url) as one:
        ids = await one.people(5)
        await _fill(one, ids)
        campaign = await one.start(texts=[TEXT])
        await one.run()
        lines = {row["text"].partition("\n")[0]: row["phone"] for row in await one.one.rows()}
        assert sorted(lines) == [
            "Ayşe: 0 points, your favourite dish",
            "Ayşe: 0 points, your Çay",
            "Ayşe: 1,250 points, your Lentil soup",
        ]
        seen = (await one.trying.preview(one.caller, campaign, ids[0], Call("/preview"))).value
        assert seen.texts[0].text.startswith("Ayşe: 1,250 points, your Lentil soup")
        # A programme that is off has nothing to promise.
        await one.db.write(lambda tx: programme.keep(tx, Programme(account_id=1)))
        seen = (await one.trying.preview(one.caller, campaign, ids[0], Call("/preview"))).value
        assert seen.texts[0].text.startswith("Ayşe: 0 points, your Lentil soup")
        # Nobody of one's own: what is shown is filled in as well.
        seen = (await one.trying.preview(one.caller, campaign, "", Call("/preview"))).value
        assert seen.texts[0].text.startswith("Alex: 120 points, your cheesecake")


def test_links_in_a_template_are_ours_too_and_its_words_ask_for_what_they_need() -> None:
    plan = Plan(
        kind="template", template_name="t", texts=("https://e.example/left-over",),
        template_variables=("{{points|0}}", "https://e.example/menu?a=1."),
    )  # fmt: skip
    links = filling.links_of(plan)
    assert links == ["https://e.example/menu?a=1"]
    assert filling.asked_for(plan) == {"points"}
    sent = Wording(plan, "cloud", "https://t.example", links).content(0, {"points": "7"}, "abc")
    assert isinstance(sent, Template)
    assert [one["text"] for one in dicts(sent.components[0]["parameters"])] == ["7", "https://t.example/l/abc1."]


def test_a_template_brings_the_file_of_its_header_and_one_that_cannot_be_filled_in_is_not_offered() -> None:
    plan = Plan(kind="template", template_name="t", media_url="https://e.example/a.mp4", media_kind="video")
    sent = Wording(plan, "cloud").content(0, {})
    assert isinstance(sent, Template)
    file = {"type": "video", "video": {"link": "https://e.example/a.mp4"}}
    assert sent.components == [{"type": "header", "parameters": [file]}]

    def shape(*parts: dict[str, Any]) -> Shape:
        row: TemplateRow = {
            "account_id": 1, "instance_id": 1, "id": "t", "name": "t", "language": "t", "status": "APPROVED",
            "category": "MARKETING", "components": msgspec.json.encode(parts).decode(), "network_id": "t",
            "quality": "t", "reason": "t", "edits": "[]", "told_at": 0, "synced_at": 0,
        }  # fmt: skip
        return Shape(show(row))

    body = {"type": "BODY", "text": "Hi {{1}}"}
    assert [shape({"type": "HEADER", "format": kind}, body).media for kind in ("IMAGE", "TEXT")] == ["image", ""]
    offered = [
        shape({"type": "HEADER", "format": kind, "text": words}, body).usable
        for kind, words in (("IMAGE", ""), ("DOCUMENT", ""), ("TEXT", "Hi"), ("TEXT", "Hi {{1}}"), ("LOCATION", ""))
    ]
    assert offered == [True, True, True, False, False]
    # A network may say what no button is: it counts, so that a place among them is the same for us and for the network.
    replies = {"type": "BUTTONS", "buttons": ["odd", 7, {"type": "QUICK_REPLY", "text": "Stop"}]}
    assert [(one.replies, one.usable) for one in map(partial(shape, body), (replies, {**replies, "buttons": 7}))] == [
        ([(2, "Stop")], True),
        ([], True),
    ]
