"""Whoever needs several people locks them in one order, so that no two processes wait for each other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest

from tablegram.crm.contacts import Sender, recognise
from tablegram.crm.importing import bringing_in
from tablegram.crm.importing.checking import Entry, Plan
from tablegram.crm.said.words import keep
from tablegram.storage.database import Tx
from tests.crm.beside import beside, somebody_waits
from tests.crm.pool import Pool, pool

pytestmark = pytest.mark.shared

NOW = 1_800_000_000_000
# The first to write has the smallest id and the largest number: one order is not the other.
PHONES = ["905551112299", "905551112255", "905551112211"]
NEW = "905551112233"


def senders(*phones: str) -> list[Sender]:
    return [Sender(1, 1, phone, "", "", NOW) for phone in phones]


def heard(tx: Tx) -> Awaitable[Any]:
    return recognise(tx, senders(*sorted(PHONES)))


def indexed(tx: Tx) -> Awaitable[Any]:
    return keep(tx, 1, {phone: {"word": NOW} for phone in sorted(PHONES)})


def brought_in(tx: Tx) -> Awaitable[Any]:
    plan = Plan([Entry(phone, notes="likes tea") for phone in sorted(PHONES)])
    return bringing_in.bring_in(tx, 1, plan.entries, plan, NOW)


async def known(one: Pool) -> list[str]:
    return [
        (await one.db.write(partial(lambda p, tx: recognise(tx, senders(p)), phone)))[0].contact_id for phone in PHONES
    ]


@pytest.mark.parametrize("unit", [heard, indexed, brought_in])
async def test_people_are_locked_by_their_ids(database_url: str, unit: Callable[[Tx], Awaitable[Any]]) -> None:
    """Who waits for the first holds none of the others, whatever order they were named in."""
    async with pool(database_url) as one, beside(database_url) as other, beside(database_url) as third:
        ids = await known(one)
        assert ids == sorted(ids)
        taken = other.transaction()
        await taken.start()
        await other.execute("SELECT id FROM contacts WHERE id = $1 FOR UPDATE", ids[0])
        waiting = asyncio.ensure_future(one.db.write(unit))
        await somebody_waits(third)
        free = await third.fetch("SELECT id FROM contacts ORDER BY id FOR UPDATE SKIP LOCKED")
        assert [row["id"] for row in free] == ids[1:]
        await taken.rollback()
        await waiting


async def test_who_comes_second_with_a_new_name_begins_again(database_url: str) -> None:
    """It takes the other's contact, locked with all others, and leaves none of its own."""
    async with pool(database_url) as one, beside(database_url) as other, beside(database_url) as third:
        ids = await known(one)
        taken = other.transaction()
        await taken.start()
        await other.execute(
            "INSERT INTO contacts (account_id, id, name, name_is_own, username, language, birthday, tags, notes, consent, consent_source,"
            " first_seen_at, last_seen_at) VALUES (1, 'theirs', '', 0, '', '', '', '[]', '', 'unknown', '', 1, 1)"
        )
        await other.execute("INSERT INTO contact_aliases VALUES (1, 'phone', $1, 'theirs')", NEW)
        waiting = asyncio.ensure_future(one.db.write(lambda tx: recognise(tx, senders(PHONES[0], NEW))))
        await somebody_waits(third)
        await taken.commit()
        assert [found.contact_id for found in await waiting] == [ids[0], "theirs"]
        assert [row["id"] for row in await third.fetch("SELECT id FROM contacts ORDER BY id")] == [*ids, "theirs"]
