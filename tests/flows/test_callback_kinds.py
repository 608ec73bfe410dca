"""Every kind of callback has its row on the page, and does what the row says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import bindparam, func, select

from tablegram.messaging.lines.cloud import news
from tablegram.messaging.switchboard import LiveLine
from tablegram.storage.database import Query
from tablegram.storage.tables import consents, contact_aliases, contacts, events, instances, media, network_notices
from tests.flows.callbacks import PAYLOADS, receive
from tests.messaging.gateway import Gateway, gateway

pytestmark = pytest.mark.later

KINDS = PAYLOADS.parent / "cloud_kinds"
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "network-callbacks.md"
ROW = re.compile(r"^\| (\w+) \| `(\w+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
ROWS = {name: rest for name, *rest in ROW.findall(PAGE.read_text(encoding="utf-8"))}
# Prepared once, and asked before and after every kind.
COUNTED = {
    name: Query(select(func.count().label("n")).select_from(table).where(table.c.account_id == 1))
    for name, table in {
        "file": media, "contact": contacts, "consent": consents, "notice": network_notices, "alias": contact_aliases,
    }.items()
}  # fmt: skip
LINE = Query(
    select(instances.c.state, instances.c.reason).where(
        instances.c.account_id == 1, instances.c.id == bindparam("which")
    )
)
EVENTS = Query(select(events.c.type).where(events.c.account_id == 1).order_by(events.c.seq))


def body(change: dict[str, Any], number: int, now_ms: int) -> bytes:
    """A callback that differs from those of the other cases in its number, its customer and its ids."""
    whole = {
        "object": "whatsapp_business_account",
        "entry": [{"id": "1", "time": now_ms // 1_000, "changes": [change]}],
    }
    raw = msgspec.json.encode(whole).decode()
    for word, own in (("1065", f"1065{number}"), ("90555111", f"9055{number:04}"), ("905550000000", f"9055{number:04}0000"),
                      ("TR.", f"TR.{number}"), ("Y2Fw", f"Y2Fw{number}")):  # fmt: skip
        raw = raw.replace(word, own)
    return raw.encode()


def messages(**parts: Any) -> dict[str, Any]:
    meta = {"display_phone_number": "905550000000", "phone_number_id": "1065"}
    return {"field": "messages", "value": {"metadata": meta, **parts}}


async def prepare(one: Gateway, number: int) -> LiveLine:
    """A line, a customer who wrote, and a message to them."""
    line = await one.add_line("cloud", number=f"1065{number}")
    known = {"from": "905551112233", "from_user_id": "TR.1349", "id": "wamid.KNOWN", "timestamp": "1750857300"}
    echo = {
        "to": "905551112233",
        "id": "wamid.OUT",
        "timestamp": "1750857310",
        "type": "text",
        "text": {"body": "Evet"},
    }
    card = {"wa_id": "905551112233", "user_id": "TR.1349", "parent_user_id": "TR.ENT.77", "profile": {"name": "Ayşe"}}
    wrote = {**known, "type": "text", "text": {"body": "Merhaba"}}
    await receive(
        one, line, body(messages(contacts=[card], messages=[wrote], message_echoes=[echo]), number, one.clock.now_ms())
    )
    return line


async def look(one: Gateway, line: LiveLine) -> dict[str, Any]:
    """Everything that a row of the page speaks of."""
    rows = {row["id"]: row for row in await one.rows() if row["instance_id"] == line.instance.id}
    (at,) = await one.db.all(LINE, {"which": line.instance.id})
    found = {name: (await one.db.all(query))[0]["n"] for name, query in COUNTED.items()}
    aliases = found.pop("alias")
    return {
        **found,
        "message": sum(row["direction"] == "in" for row in rows.values()),
        "own message": sum(row["direction"] == "out" for row in rows.values()),
        "edited": sum(row["edited_at"] is not None for row in rows.values()),
        "taken back": sum(row["deleted_at"] is not None for row in rows.values()),
        "state": [row["state"] for row in rows.values() if row["network_id"] == "wamid.OUT"],
        "names": aliases - found["contact"],
        "line": tuple(at),
        "events": await one.db.all(EVENTS),
    }


def differences(before: dict[str, Any], after: dict[str, Any]) -> tuple[set[str], list[str]]:
    kept = {name for name in before if before[name] != after[name]} - {"events"}
    if "contact" in kept:
        # A contact has a name from the beginning.
        kept -= {"names"}
    return kept, [row["type"] for row in after["events"][len(before["events"]) :]]


async def test_every_kind_does_what_the_page_says(database_url: str) -> None:
    wrong: list[str] = []
    async with gateway(database_url) as one:
        for number, path in enumerate(sorted(KINDS.glob("*.json")), 1000):
            line = await prepare(one, number)
            before = await look(one, line)
            change = msgspec.json.decode(path.read_bytes())
            await receive(one, line, body(change, number, one.clock.now_ms()))
            after = await look(one, line)
            kept, told = differences(before, after)
            field, says, events_said, _ = ROWS[path.stem]
            said = {word.strip() for word in says.split(",")} - {"–"}
            expected = re.findall(r"`([\w.]+)`", events_said)
            if (kept, told, change["field"]) != (said, expected, field):
                wrong.append(f"{path.stem}: kept {sorted(kept)}, told {told}, page: {sorted(said)}, {expected}")
    assert wrong == [], "\n".join(wrong)


def test_the_page_has_a_row_for_every_kind_and_no_other() -> None:
    assert sorted(ROWS) == sorted(path.stem for path in KINDS.glob("*.json"))
    assert {field for field, *_ in ROWS.values()} >= set(news.FIELDS)
