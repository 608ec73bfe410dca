"""A message that is stored tells whether somebody waits whom it would overtake."""

from __future__ import annotations

import asyncio
from typing import Any

from tablegram.messaging.model import BULK, NORMAL, URGENT
from tablegram.messaging.store import messages as store
from tablegram.messaging.store.turns import INSERT_IN_TURN
from tablegram.settings import Settings
from tablegram.storage.database import Database, open_database
from tablegram.values.ids import new_id
from tests.cases import cases

NOW = 1_800_000_000_000


def row(**fields: Any) -> dict[str, Any]:
    plain = {
        "account_id": 1, "id": new_id(), "instance_id": 1, "direction": "out", "phone": "905550000001", "type": "text",
        "text": "", "content": "{}", "state": "queued", "priority": NORMAL, "due_at": None, "expires_at": None,
        "claimed_by": None, "claimed_at": None, "category": "service", "cost_micros": 0, "created_at": NOW,
        "sent_by": None, "trace": None,
    }  # fmt: skip
    return plain | fields


WAITING: dict[str, tuple[dict[str, Any], bool]] = {
    "due": ({"due_at": NOW - 5}, True),
    "due, with less haste": ({"due_at": NOW - 5, "priority": BULK}, False),
    "due, with more haste": ({"due_at": NOW - 5, "priority": URGENT}, True),
    "to go later": ({"due_at": NOW + 60_000}, False),
    "on its way": ({"claimed_by": "somebody"}, False),
    "another recipient": ({"due_at": NOW - 5, "phone": "905550000002"}, False),
    "another line": ({"due_at": NOW - 5, "instance_id": 2}, False),
    "another account": ({"due_at": NOW - 5, "account_id": 2}, False),
}


async def opened(url: str) -> Database:
    db = open_database(Settings(database_url=url))
    await db.open()
    return db


async def test_who_waits_for_the_same_recipient_with_as_much_haste_is_not_overtaken(database_url: str) -> None:
    db = await opened(database_url)
    with cases() as them:
        for number, (name, (fields, expected)) in enumerate(WAITING.items()):
            with them.case(name):
                # Each has an account of its own.
                ours, theirs = 10 * number + 1, 10 * number + fields.get("account_id", 1)
                await db.put((store.INSERT, row(**{**fields, "account_id": theirs})))
                told = await db.tell(INSERT_IN_TURN, row(account_id=ours, claimed_by="us", claimed_at=NOW))
                assert bool(told["overtakes"]) is expected
    await db.close()


async def test_who_is_to_be_tried_again_is_waited_for(database_url: str) -> None:
    db = await opened(database_url)
    first = row(claimed_by="us", claimed_at=NOW)
    await db.put((store.INSERT, first))
    delayed = {
        "b_account": 1, "b_id": first["id"], "b_owner": "us", "next_at": NOW + 60_000, "tried": 1, "code": "throttled",
        "detail": "", "network_code": None,
    }  # fmt: skip
    await db.put((store.DELAYED, delayed))
    assert (await db.tell(INSERT_IN_TURN, row(claimed_by="us", claimed_at=NOW)))["overtakes"]
    await db.close()


async def test_each_of_many_that_are_stored_together_hears_its_own_answer(database_url: str) -> None:
    db = await opened(database_url)
    await db.put(*((store.INSERT, row(phone=f"{n}", due_at=NOW - 5)) for n in range(0, 20, 2)))
    told = await asyncio.gather(
        *(db.tell(INSERT_IN_TURN, row(phone=f"{n}", claimed_by="us", claimed_at=NOW)) for n in range(20))
    )
    assert [bool(one["overtakes"]) for one in told] == [n % 2 == 0 for n in range(20)]
    await db.close()
