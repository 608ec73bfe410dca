"""Campaigns and people who turn out to be one, leave for good, or were written to long ago."""

from __future__ import annotations

from typing import cast

import msgspec
from sqlalchemy import bindparam, func, select

from tablegram.campaigns import people
from tablegram.campaigns.model import Plan
from tablegram.campaigns.store import links as link_store
from tablegram.campaigns.store.retention import KEPT_DAYS, PURGES
from tablegram.crm.contacts import new_contact
from tablegram.crm.merging import merge
from tablegram.crm.own_data.erasing import Erased, PersonToErase
from tablegram.crm.rows import ContactRow
from tablegram.engine.purging import Retention
from tablegram.flows.campaigns.own_data import HOLDING, CampaignReach
from tablegram.flows.campaigns.people import _refusal
from tablegram.flows.gateway.erasing import MessageReach
from tablegram.storage.database import Query, Tx
from tablegram.storage.tables import campaign_clicks, campaign_links, campaign_sends, campaigns
from tests.campaigns.office import Office, office
from tests.messaging.gateway import phone

TABLES = (campaigns, campaign_sends, campaign_links, campaign_clicks)
HOW_MANY = [
    Query(select(func.count().label("n")).select_from(one).where(one.c.account_id == bindparam("account")))
    for one in TABLES
]


async def rows_of(here: Office) -> list[int]:
    return [(await here.db.all(query, {"account": 1}))[0]["n"] for query in HOW_MANY]


async def join(here: Office, gone: str, kept: str) -> None:
    async def work(tx: Tx) -> None:
        await merge(tx, 1, gone, kept)
        await people.move(tx, 1, gone, kept)

    await here.db.write(work)


async def click(here: Office, campaign_id: str, contact_id: str) -> None:
    one = {"account_id": 1, "campaign_id": campaign_id, "contact_id": contact_id, "number": 1, "clicks": 1}
    await here.db.put((link_store.CLICKED, {**one, "first_at": 1, "last_at": 1}))


async def test_who_turns_out_to_be_one_person_is_written_to_once(database_url: str) -> None:
    async with office(database_url) as here:
        first, second, third, fourth, fifth = await here.people(5)
        # The first two have a row each, and only one of them was written to.
        campaign = await here.start(texts=["See https://e.example/a"], pace_per_min=12)
        await here.look()
        assert await here.counted() == {"queued": 1, "waiting": 4}
        await here.send()
        await click(here, campaign, first)
        await join(here, first, second)
        # Neither of the next two was; one of them is left.
        await join(here, third, fourth)
        rows = {row["contact_id"]: row for row in await here.sends()}
        assert {one: (row["state"], row["reason"]) for one, row in rows.items()} == {
            first: ("queued", ""), second: ("skipped", "gone"), third: ("skipped", "gone"), fourth: ("waiting", ""),
            fifth: ("waiting", ""),
        }  # fmt: skip
        for _ in range(8):
            here.clock.advance(6)
            await here.look()
            await here.send()
        assert await here.state(campaign) == "finished"
        assert await here.counted() == {"sent": 3, "skipped:gone": 2}
        # A contact who has no row there takes the other's over, with what they followed.
        (late,) = await here.people(1, first=9)
        await click(here, campaign, fifth)
        await join(here, fifth, late)
        held = msgspec.to_builtins((await here.db.snapshot(lambda tx: HOLDING.read(tx, 1, [late])))[late])
        assert [(one["state"], [link["url"] for link in one["links"]]) for one in held] == [
            ("sent", ["https://e.example/a"])
        ]

        # Whoever is erased leaves rows that lead to nobody, under whichever id they lie.
        person = PersonToErase(account_id=1, contact_id=second, ids=[first, second], names=[])
        swept = await here.db.write(lambda tx: CampaignReach().finish(tx, person, Erased()))
        assert swept.count == 2
        left = [row for row in await here.sends() if row["contact_id"] in (first, second)]
        assert {(row["message_key"], row["code"], row["replied_at"]) for row in left} == {(None, None, None)}
        assert await rows_of(here) == [1, 6 - 1, 1, 1]


async def erase(here: Office, contact_id: str, number: int) -> None:
    person = PersonToErase(account_id=1, contact_id=contact_id, ids=[contact_id], names=[phone(number)])

    async def work(tx: Tx) -> None:
        for reach in (MessageReach(here.one.box, here.clock, prepaid=False), CampaignReach()):
            await reach.finish(tx, person, Erased())

    await here.db.write(work)


async def test_a_campaign_ends_though_somebody_is_erased_whose_message_is_on_its_way(database_url: str) -> None:
    async with office(database_url) as here:
        first, second, third = await here.people(3)
        campaign = await here.start(texts=["Hello"])
        await here.look()
        assert await here.counted() == {"queued": 3}
        # One goes before the line has sent anything, one before anybody has asked what became of it.
        await erase(here, first, 0)
        await here.send()
        await erase(here, second, 1)
        await here.look(2)
        assert await here.state(campaign) == "finished"
        rows = {row["contact_id"]: (row["state"], row["reason"], row["message_key"]) for row in await here.sends()}
        assert rows.pop(third)[:2] == ("sent", "")
        assert rows == {first: ("skipped", "gone", None), second: ("sent", "", None)}


async def test_a_campaign_that_is_long_over_is_forgotten_with_all_that_belongs_to_it(database_url: str) -> None:
    async with office(database_url) as here:
        ids = await here.people(3)
        campaign = await here.start(texts=["See https://e.example/a"])
        await here.run()
        await click(here, campaign, ids[0])
        draft = await here.draft()
        retention = Retention(here.db, here.clock, here.one.settings, PURGES)
        here.clock.advance((KEPT_DAYS - 1) * 86_400)
        # Once more it is looked at, and then no longer.
        await here.look()
        assert (await retention.purge())["campaigns"] == 0
        assert await rows_of(here) == [2, 3, 1, 1]
        here.clock.advance(2 * 86_400)
        assert (await retention.purge())["campaigns"] == 1
        assert await rows_of(here) == [1, 0, 0, 0]
        assert await here.state(draft.id) == "draft"


def test_who_is_not_there_any_more_or_is_another_by_now_is_not_written_to() -> None:
    nothing_done = {"inbox_seen": 0, "inbox_closed": 0, "inbox_owner": None}
    gone = cast(ContactRow, {**new_contact(1, "c000001", "", 0), **nothing_done, "merged_into": "c000002"})
    for row in (None, gone):
        assert _refusal(row, "905550000001", None, Plan(), "sandbox", 0, 0) == "gone"
