"""Many contacts at once: in pieces, each contact once, whoever dies on the way; and the list in any order."""

from __future__ import annotations

from typing import Any

import pytest

from tablegram.accounts.keys.keys import Caller, KeyRing
from tablegram.crm import bulk
from tablegram.crm.bulk import Chosen
from tablegram.crm.contacts import Sender
from tablegram.engine.idempotency import Call
from tablegram.errors import Conflict, Invalid, NotFound
from tablegram.flows.contacts.answers import ContactJob
from tablegram.flows.contacts.services import ContactServices
from tablegram.wiring.areas.contacts import ContactWorks
from tests.crm.pool import Pool, pool
from tests.drained import drained


async def caller(place: Pool, account: int = 1) -> Caller:
    ring = KeyRing(place.db, place.product.box, place.clock, place.product.settings)
    return await ring.authenticate(place.keys[account])


async def people(place: Pool, names: list[str], account: int = 1) -> list[str]:
    """Contacts with these names, each seen a second after the one before; their ids."""
    now = place.clock.now_ms()
    senders = [
        Sender(account, place.lines[account], f"90555{number:07d}", "", name, now + 1_000 * number)
        for number, name in enumerate(names)
    ]
    return await place.see(*senders)


async def start(place: Pool, act: Any, tag: str, chosen: Chosen, key: str | None = None) -> ContactJob:
    call = Call("test", idempotency_key=key, fingerprint=key or "")
    return await place.product.of(ContactServices).bulk.start(await caller(place), act, tag, chosen, call)


async def tagged(place: Pool, tag: str, account: int = 1) -> int:
    pool_of = place.product.of(ContactServices).pool
    return await pool_of.count(await caller(place, account), q=None, tag=tag, since_ms=None, most=10_000)


async def test_many_are_tagged_untagged_and_erased_in_pieces_and_nobody_else(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "PIECE", 4)
    async with pool(database_url) as place:
        ids = await people(place, [f"Guest {number}" for number in range(11)] + ["Other"])
        await people(place, ["Guest of another"], account=2)
        works, jobs = place.product.of(ContactWorks).bulk, place.product.of(ContactServices).bulk
        who = await caller(place)

        # The same form twice is one job, and what is found grows no less by being tagged.
        first = await start(place, "tag", "  yaz   listesi ", Chosen(q="guest"), "k1")
        assert (first.total, first.state, first.tag) == (11, "running", "yaz listesi")
        assert (await start(place, "tag", "  yaz   listesi ", Chosen(q="guest"), "k1")).id == first.id
        assert [one.id for one in await jobs.running(who)] == [first.id]

        # Somebody dies after the first piece; the next one goes on behind it.
        assert await works.drain.hold()
        pieces: Any = works.pieces()
        await anext(pieces)
        await pieces.aclose()
        assert (await jobs.get(who, first.id)).done == 4
        assert await tagged(place, "yaz listesi") == 4
        await drained(works.drain)
        done = await jobs.get(who, first.id)
        assert (done.done, done.state) == (11, "done")
        assert await tagged(place, "yaz listesi") == 11
        assert await tagged(place, "yaz listesi", account=2) == 0

        # What leaves the filter while it is worked on is still met once.
        await start(place, "untag", "yaz listesi", Chosen(tag="yaz listesi"))
        await drained(works.drain)
        assert await tagged(place, "yaz listesi") == 0
        await start(place, "tag", "vip", Chosen(ids=[ids[0], ids[11], "stranger"]))
        await drained(works.drain)
        assert await tagged(place, "vip") == 2

        await start(place, "erase", "", Chosen(q="guest"))
        await drained(works.drain)
        assert await place.found() == ["Other"]
        assert await place.found(account=2) == ["Guest of another"]
        log = (await place.call("GET", "/audit")).json()["data"]
        assert [one["action"] for one in log].count("contact.erased") == 11
        assert {one["actor"]["kind"] for one in log if one["action"] == "contact.erased"} == {"key"}

        with pytest.raises(NotFound):
            await jobs.get(await caller(place, 2), first.id)
        for act, tag, chosen in (("tag", " ", Chosen()), ("tag", "x" * 61, Chosen()), ("erase", "", Chosen(ids=[]))):
            with pytest.raises(Invalid):
                await start(place, act, tag, chosen)
        for _ in range(5):
            await start(place, "tag", "x", Chosen())
        with pytest.raises(Conflict):
            await start(place, "tag", "x", Chosen())


async def test_the_list_is_put_in_order_and_counted(database_url: str) -> None:
    async with pool(database_url) as place:
        names = ["Zeki", "Çağla", "", "Can", "ışık", "Öykü", "Ali"]
        await people(place, names)
        who, listing = await caller(place), place.product.of(ContactServices).listing

        async def listed(sort: str, **narrowed: Any) -> list[str]:
            found: list[str] = []
            cursor = None
            while True:
                page = await listing.page(who, Chosen(**narrowed), sort, 2, cursor, with_totals=True)
                assert page.totals is not None
                assert page.totals.contacts == (len(names) if not narrowed else 1)
                found += [one.name for one in page.data]
                cursor = page.next_cursor
                if cursor is None:
                    return found

        # As people read names, whatever their case and accents; who has none comes last, both ways.
        assert await listed("name") == ["Ali", "Çağla", "Can", "ışık", "Öykü", "Zeki", ""]
        assert await listed("-name") == ["Zeki", "Öykü", "ışık", "Can", "Çağla", "Ali", ""]
        assert await listed("seen") == names
        assert await listed("-seen") == names[::-1]
        assert sorted(await listed("-value")) == sorted(names)
        assert await listed("name", q="isik") == ["ışık"]
