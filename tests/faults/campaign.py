"""A campaign through deaths: who was meant, who said stop meanwhile, and what each phone holds in the end."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import bindparam, update

from tablegram import settings as configuration
from tablegram.campaigns.model import encode_plan, read_campaign
from tablegram.campaigns.store import campaigns as store
from tablegram.cli.session import Session, _work
from tablegram.crm.consent import ledger
from tablegram.crm.contacts import new_contact
from tablegram.crm.store import contacts as contact_store
from tablegram.storage.database import Query, Tx
from tablegram.storage.tables import campaigns
from tablegram.values.clock import HOUR_MS, Clock
from tests.faults.burst import every_accepted
from tests.product import Product, wait_until

# Spoken by nobody else in the demo's account.
LANGUAGE = "zh"
PIECE = 1_000
WORDS = {"name": "Proof", "texts": ["Hi {{first_name|friend}}, see https://e.example/a"], "language": "en"}
NO_HOURS = ("", "")
# Of the tests alone: people change no plan that has begun.
PUT_PLAN = Query(
    update(campaigns)
    .where(campaigns.c.account_id == bindparam("b_account"), campaigns.c.id == bindparam("b_id"))
    .values(plan=bindparam("new_plan"))
)


def hours(from_min: float, until_min: float) -> tuple[str, str]:
    """Quiet hours from so many minutes from now until so many; below nought lies what is over."""
    now = datetime.now(UTC)
    return tuple(f"{now + timedelta(minutes=minutes):%H:%M}" for minutes in (from_min, until_min))  # type: ignore[return-value]


def phone_of(number: int) -> str:
    return f"90555{number:07}"


def ids_of(numbers: range) -> list[str]:
    return [f"proof{number:07}" for number in numbers]


def in_store(product: Product, work: Callable[[Session], Awaitable[Any]]) -> Any:
    return asyncio.run(_work(configuration.load(product.environment), work))


def fill(product: Product, contacts: int, recipients: int, window_h: int = 0) -> None:
    """So many contacts, of whom the first are meant and agreed; `window_h`: so long a cloud line may still write freely."""
    until = Clock().now_ms() + window_h * HOUR_MS if window_h else None

    async def work(session: Session) -> None:
        for first in range(0, contacts, PIECE):
            numbers = range(first, min(first + PIECE, contacts))

            async def piece(tx: Tx, numbers: range = numbers) -> None:
                rows, names, words = [], [], []
                for number, one in zip(numbers, ids_of(numbers), strict=True):
                    is_meant = number < recipients
                    said = {"language": LANGUAGE if is_meant else "", "window_until": until}
                    rows.append({**new_contact(1, one, f"Guest {number}", 1), **said})
                    names.append({"account_id": 1, "kind": "phone", "value": phone_of(number), "contact_id": one})
                    if is_meant:
                        words.append(ledger.Word(account_id=1, contact_id=one, state="granted", source="test", at=2))
                await tx.many(contact_store.INSERT, rows)
                await tx.many(contact_store.CLAIM_ALIAS, names)
                await ledger.note(tx, words)

            await session.db.write(piece)

    in_store(product, work)


def begin(product: Product, quiet: tuple[str, str] = NO_HOURS, **fields: Any) -> str:
    """A campaign to the segment of those who are meant."""
    status, segment = product.call(
        "POST", "/segments", {"name": "Proof", "rules": {"rule": "language", "is": LANGUAGE}}
    )
    assert status == 201, segment
    times = {"quiet_from": quiet[0], "quiet_until": quiet[1], "time_zone": "UTC"}
    status, made = product.call("POST", "/campaigns", {**WORDS, "segment_id": segment["id"], **times, **fields})
    assert status == 201, made
    status, started = product.call("POST", f"/campaigns/{made['id']}/start", {})
    assert status == 200, started
    return str(made["id"])


def look(product: Product, campaign_id: str) -> dict[str, Any]:
    status, one = product.call("GET", f"/campaigns/{campaign_id}")
    assert status == 200, one
    return dict(one)


def set_quiet(product: Product, campaign_id: str, quiet: tuple[str, str]) -> None:
    """Quiet hours begin or end, by the plan: nobody waits for a clock."""

    async def work(session: Session) -> None:
        async def put(tx: Tx) -> None:
            which = {"b_account": 1, "b_id": campaign_id}
            row = await tx.first(store.LOCK, which)
            assert row is not None
            plan = msgspec.structs.replace(read_campaign(row).plan, quiet_from=quiet[0], quiet_until=quiet[1])
            await tx.run(PUT_PLAN, {**which, "new_plan": encode_plan(plan)})
            await tx.run(store.LATER, {**which, "new_due": 1})

        await session.db.write(put)

    in_store(product, work)


def waiting(product: Product, campaign_id: str, count: int) -> list[str]:
    """Contacts whose turn has not come."""
    status, page = product.call("GET", f"/campaigns/{campaign_id}/sends?state=waiting&limit={count}")
    assert status == 200, page
    return [row["contact_id"] for row in page["data"]]


def say_stop(product: Product, contact_ids: list[str]) -> None:
    for one in contact_ids:
        word = {"contact_id": one, "state": "denied", "source": "at the till"}
        status, answer = product.call("POST", "/consents", word)
        assert status == 201, answer


def wait_for(product: Product, campaign_id: str, *states: str, within_s: float = 120.0) -> None:
    wait_until(lambda: look(product, campaign_id)["state"] in states, f"the campaign to be {states}", within_s)


def judge(product: Product, recipients: int, stopped: list[str], before: Iterable[str] = ()) -> list[str]:
    """What is wrong: by what the network took, everybody who was meant and did not say stop has one message.

    `before`: those who said stop when theirs was on its way already.
    """
    got = Counter(one["to"] for one in every_accepted(product))
    silent = set(stopped) - set(before)
    wrong = []
    for number, one in enumerate(ids_of(range(recipients))):
        wanted, had = int(one not in silent), got.pop(phone_of(number), 0)
        if had != wanted:
            wrong.append(f"{one} has {had} messages and should have {wanted}")
    return [*wrong, *(f"{phone} was not meant and has {had}" for phone, had in got.items())]
