"""One person, one contact: whatever names come, in whatever order, however many at once."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, select

from tablegram.crm.contacts import Sender, recognise
from tablegram.crm.merging import find_living
from tablegram.settings import Settings
from tablegram.storage.database import Query, open_database
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import contact_aliases, contact_terms, contacts
from tests.crm.pool import OTHER, PHONE, Pool, pool
from tests.databases import Databases
from tests.long import many

NOW = 1_800_000_000_000


def sender(phone: str = PHONE, user_id: str = "", name: str = "", at: int = 0, account: int = 1) -> Sender:
    return Sender(account, 1, phone, user_id, name, NOW + at)


async def every(one: Pool, table: Any) -> list[dict[str, Any]]:
    rows = await one.db.all(Query(across_accounts(select(table), "a test looks at everything")))
    return [dict(row) for row in rows]


async def test_who_writes_again_is_the_same_contact(database_url: str) -> None:
    async with pool(database_url) as one:
        first = await one.see(sender(at=5_000, name="Ayşe"), sender(), sender(at=9_000))
        second = await one.see(sender(at=7_000, name="Ayşe Y."))
        assert len({*first, *second}) == 1
        (row,) = await every(one, contacts)
        assert (row["first_seen_at"], row["last_seen_at"], row["name"]) == (NOW, NOW + 9_000, "Ayşe Y.")
        assert row["window_until"] == NOW + 9_000 + 86_400_000


async def test_a_second_name_leads_to_the_same_contact(database_url: str) -> None:
    async with pool(database_url) as one:
        (first,) = await one.see(sender())
        assert await one.see(sender(user_id="TR.1"), sender(phone="", user_id="TR.1")) == [first, first]


async def test_two_contacts_that_turn_out_to_be_one_are_merged(database_url: str) -> None:
    async with pool(database_url) as one:
        by_phone, by_id = await one.see(sender(name="Ayşe", at=5), sender(phone="", user_id="TR.1", name="ayse"))
        assert by_phone != by_id
        assert await one.see(sender(user_id="TR.1")) == [by_phone]
        reply = await one.call("GET", f"/contacts/{by_id}")
        assert (reply.status, reply.json()["id"]) == (200, by_phone)
        assert {alias["contact_id"] for alias in await every(one, contact_aliases)} == {by_phone}


async def test_who_changes_his_number_stays_the_same_contact(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write()
        before = (await one.contact())["id"]
        moved = {"type": "user_changed_number", "wa_id": OTHER, "body": "Ayşe changed her number"}
        at = str(one.clock.now_ms() // 1_000)
        await one.receive({"from": PHONE, "id": "wamid.moved", "timestamp": at, "type": "system", "system": moved})
        await one.write("Benim", phone=OTHER)
        contact = await one.contact(OTHER)
        assert (contact["id"], contact["phones"]) == (before, [PHONE, OTHER])
        conversation = (await one.call("GET", f"/contacts/{before}/messages")).json()["data"]
        assert [message["text"] for message in conversation] == ["Benim", "Ayşe changed her number", "Hi"]


async def test_one_batch_may_make_and_merge_contacts(database_url: str) -> None:
    async with pool(database_url) as one:
        ids = await one.see(sender(), sender(phone="", user_id="TR.1"), sender(user_id="TR.1"), sender(phone=OTHER))
        assert len(set(ids)) == 2
        assert ids[0] == ids[1] == ids[2]
        assert len(await one.found()) == 2


async def test_another_process_that_was_first_keeps_its_contact(database_url: str) -> None:
    """Two processes see a new sender at once: each transaction may begin before the other's end."""
    async with pool(database_url) as one:
        beside = open_database(Settings(database_url=database_url))
        await beside.open()
        try:
            for number in range(10):
                phone = f"9055500000{number:02}"
                both = await asyncio.gather(
                    *[
                        db.write(partial(lambda p, tx: recognise(tx, [sender(p)]), phone))
                        for db in (one.db, beside, one.db)
                    ]
                )
                assert len({found[0].contact_id for found in both}) == 1
        finally:
            await beside.close()
        assert len(await one.found(limit=200)) == 10


async def test_the_same_number_of_two_accounts_is_two_contacts(database_url: str) -> None:
    async with pool(database_url) as one:
        first, second = await one.see(sender(name="Ayşe"), sender(name="Fatma", account=2))
        assert first != second
        assert (await one.found(), await one.found(account=2)) == (["Ayşe"], ["Fatma"])


# Steps: a sight of (phone, user id), a whole batch of sights, or a merge of two of the contacts known so far.
_names = st.tuples(
    st.sampled_from(["", "905550000001", "905550000002", "905550000003"]), st.sampled_from(["", "U1", "U2", "U3"])
)
_sight = _names.filter(any)
_steps = st.lists(
    st.one_of(
        st.lists(_sight, min_size=1, max_size=4).map(lambda batch: ("see", batch)),
        st.tuples(st.integers(0, 50), st.integers(0, 50)).map(lambda pair: ("merge", pair)),
    ),
    max_size=12,
)


class People:
    """The model: who is whom, as sets of names."""

    def __init__(self) -> None:
        self.groups: list[set[tuple[str, str]]] = []

    def join(self, names: set[tuple[str, str]]) -> None:
        touched = [group for group in self.groups if group & names]
        self.groups = [group for group in self.groups if not group & names] + [names.union(*touched)]


@pytest.mark.later
async def test_aliases_always_lead_to_one_living_contact(databases: Databases) -> None:
    url = databases.migrated()

    async def play(one: Pool, steps: list[Any]) -> None:
        for table in (contacts, contact_aliases, contact_terms):
            await one.db.put((Query(across_accounts(delete(table), "a fresh start")), {}))
        model, ids, at = People(), [], 0
        for kind, what in steps:
            if kind == "see":
                batch = []
                for phone, user_id in what:
                    at += 1
                    batch.append(sender(phone, user_id, at=at))
                    model.join({(k, v) for k, v in (("phone", phone), ("user_id", user_id)) if v})
                ids += await one.see(*batch)
            elif ids:
                gone, kept = ids[what[0] % len(ids)], ids[what[1] % len(ids)]
                await join(one, model, gone, kept)
            await compare(one, model)

    async with pool(url) as one:
        # The examples share one database and one loop; hypothesis itself runs beside it.
        loop = asyncio.get_running_loop()

        @settings(max_examples=many(15, 40), deadline=None, suppress_health_check=list(HealthCheck))
        @given(_steps)
        def run(steps: list[Any]) -> None:
            asyncio.run_coroutine_threadsafe(play(one, steps), loop).result(60)

        await asyncio.to_thread(run)
    databases.drop(url)


async def join(one: Pool, model: People, gone: str, kept: str) -> None:
    async def names(contact_id: str) -> set[tuple[str, str]]:
        living = await one.db.snapshot(lambda tx: find_living(tx, 1, contact_id))
        assert living is not None
        rows = await every(one, contact_aliases)
        return {(row["kind"], row["value"]) for row in rows if row["contact_id"] == living["id"]}

    both = await names(gone) | await names(kept)
    reply = await one.call("POST", f"/contacts/{gone}/merge", {"into": kept})
    assert reply.status == (422 if gone == kept else 200), reply.body
    model.join(both)


async def compare(one: Pool, model: People) -> None:
    people = {row["id"]: row for row in await every(one, contacts)}
    groups: dict[str, set[tuple[str, str]]] = {}
    for row in await every(one, contact_aliases):
        assert people[row["contact_id"]]["merged_into"] is None
        groups.setdefault(row["contact_id"], set()).add((row["kind"], row["value"]))
    assert sorted(map(sorted, groups.values())) == sorted(map(sorted, model.groups))
    living = [row["id"] for row in people.values() if row["merged_into"] is None]
    assert sorted(living) == sorted(groups)
    assert {row["contact_id"] for row in await every(one, contact_terms)} <= set(living)
    for row in people.values():
        seen = set()
        while row["merged_into"] is not None:
            assert row["id"] not in seen
            seen.add(row["id"])
            row = people[row["merged_into"]]
