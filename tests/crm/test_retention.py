"""How long an account keeps messages and silent contacts: by its own rules, never longer than the installation, and no other's."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from tablegram.engine.purging import Retention
from tablegram.storage.database import Query
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import audit_log, contact_terms, messages
from tests.crm.pool import OTHER, PHONE, Pool, pool

_TEXTS = Query(across_accounts(select(messages.c.account_id, messages.c.text), "a test looks at everything"))
_ERASED = Query(
    select(audit_log.c.actor_kind, audit_log.c.object_id).where(
        audit_log.c.account_id == 1, audit_log.c.action == "contact.erased"
    )
)
_SAID = Query(
    select(contact_terms.c.term)
    .where(contact_terms.c.account_id == 1, contact_terms.c.source == "said")
    .order_by(contact_terms.c.term)
)
DAY_S = 86_400


async def _rules(one: Pool, **days: int) -> Any:
    reply = await one.call("PATCH", "/retention", {"message_days": 0, "contact_days": 0, **days})
    assert reply.status == 200
    return reply.json()


async def _said(one: Pool) -> list[str]:
    return [row["term"] for row in await one.db.all(_SAID)]


async def _purge(one: Pool) -> dict[str, int]:
    return {name: n for name, n in (await one.product.of(Retention).purge()).items() if n}


async def test_messages_go_after_the_days_of_their_own_account(database_url: str) -> None:
    async with pool(database_url, message_days=200) as one:
        nothing = {"message_days": 0, "contact_days": 0, "messages_kept_days": 200}
        assert (await one.call("GET", "/retention")).json() == nothing
        await one.write("old and common")
        await one.write("theirs", account=2)
        await one.index()
        one.clock.advance(60 * DAY_S)
        await one.write("new and common")
        await one.index()
        assert await _said(one) == ["and", "common", "new", "old"]
        assert "old_messages" not in await _purge(one)
        assert (await _rules(one, message_days=30))["messages_kept_days"] == 30
        assert (await _purge(one))["old_messages"] == 1
        left = sorted((row["account_id"], row["text"]) for row in await one.db.all(_TEXTS))
        assert left == [(1, "new and common"), (2, "theirs")]
        # Nobody is found by what no message says any more.
        assert await _said(one) == ["and", "common", "new"]
        # Who was heard of stays known, and nobody keeps more than the installation does.
        assert (await one.contact())["phones"] == [PHONE]
        assert (await _rules(one, message_days=365))["messages_kept_days"] == 200
        one.clock.advance(202 * DAY_S)
        await _purge(one)
        assert await one.db.all(_TEXTS) == []
        assert await _said(one) == []
        for wrong in (-1, 1, 29, 31, 10_000, "30", None):
            body = {"message_days": wrong, "contact_days": 0}
            assert (await one.call("PATCH", "/retention", body)).status == 422


async def test_who_is_silent_for_so_long_is_erased_with_a_receipt(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write("merhaba", PHONE)
        await one.write("merhaba", OTHER)
        await one.write("merhaba", PHONE, account=2)
        silent, active = (await one.contact(PHONE))["id"], (await one.contact(OTHER))["id"]
        added = (await one.call("POST", "/contacts", {"phone": "905551119900"})).json()["id"]
        await _rules(one, contact_days=180)
        one.clock.advance(179 * DAY_S)
        assert "silent_contacts" not in await _purge(one)
        await one.write("yine ben", OTHER)
        one.clock.advance(2 * DAY_S)
        assert (await _purge(one))["silent_contacts"] == 2
        assert [(await one.call("GET", f"/contacts/{who}")).status for who in (silent, added, active)] == [
            404,
            404,
            200,
        ]
        assert (await one.contact(PHONE, account=2))["phones"] == [PHONE]
        # The log says that nobody asked for it, and whoever asks again is shown the proof.
        assert {(row["actor_kind"], row["object_id"]) for row in await one.db.all(_ERASED)} == {
            ("system", silent), ("system", added),
        }  # fmt: skip
        receipt = (await one.call("DELETE", f"/contacts/{silent}")).json()
        assert (receipt["contact_id"], receipt["counts"]["messages"]) == (silent, 1)
        assert await _purge(one) == {}
