"""Messages that their writer changed or took back, and those of an earlier time."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tablegram.crm.contacts import Recognised, know, recognise
from tablegram.crm.conversations import note_answered
from tablegram.flows.gateway.announcing import Announcer
from tablegram.flows.gateway.callbacks.arrivals import (
    Arrival,
    echo_row_of,
    key_of,
    message_of,
    role_of,
    row_of,
    sender_of,
)
from tablegram.flows.gateway.callbacks.people import move_joined
from tablegram.messaging.erased import is_erased
from tablegram.messaging.incoming import MessageChange
from tablegram.messaging.rows.messages import MessageRow
from tablegram.messaging.store import changing
from tablegram.messaging.store import messages as store
from tablegram.storage.database import Statement, Tx

_encode = msgspec.json.Encoder().encode


class Changed(msgspec.Struct, frozen=True):
    """A message that was changed: what it is now, whose it is, and what was to be told of it."""

    arrival: Arrival
    row: MessageRow
    contact: Recognised | None
    statements: Sequence[Statement]


async def originals(tx: Tx, arrivals: Sequence[Arrival]) -> dict[tuple[int, int, str], MessageRow]:
    """The messages that these are about, as far as they are known."""
    which = [{"b_account": a, "b_instance": line, "b_network_id": name} for a, line, name in map(key_of, arrivals)]
    rows = await tx.gather(store.GET_BY_LINE_AND_NETWORK_ID, which)
    return {(row["account_id"], row["instance_id"], row["network_id"] or ""): row for row in rows}


def as_written(arrival: Arrival) -> Arrival:
    """An edit that came before its message, or instead of it, is the message."""
    item = message_of(arrival)
    return msgspec.structs.replace(arrival, item=item, role=role_of(item, is_strangers=arrival.is_strangers))


async def apply(tx: Tx, announcer: Announcer, arrivals: Sequence[Arrival]) -> list[Changed]:
    """Change what is known, once each; what is older than what is known changes nothing."""
    changed: list[Changed] = []
    known = await originals(tx, arrivals)
    for arrival in arrivals:
        change = arrival.item
        assert isinstance(change, MessageChange)
        row = known.get(key_of(arrival))
        if row is None:
            row = await _tombstone(tx, arrival)
        if row is None or is_erased(row):
            continue
        contact = await _contact(tx, arrival, row)
        step = _edit(change, row) if change.kind == "edited" else _delete(change, row)
        if await tx.first(*step) is None:
            continue
        contact_id = "" if contact is None else contact.contact_id
        told = announcer.message_changed(arrival.account_id, row, change, contact_id)
        changed.append(Changed(arrival, row, contact, told))
    return changed


async def _contact(tx: Tx, arrival: Arrival, row: MessageRow) -> Recognised | None:
    """Whose message it is. Who changes what they wrote is seen again, so that people look at it."""
    if row["direction"] != "in":
        return None
    if not sender_of(arrival).aliases():
        return None
    (contact,) = await recognise(tx, [sender_of(arrival)])
    # Also where the change itself comes to nothing: nobody is told again that the two are one.
    await move_joined(tx, arrival.account_id, contact)
    return contact


async def _tombstone(tx: Tx, arrival: Arrival) -> MessageRow | None:
    """What was taken back before it came must not come any more."""
    item = message_of(arrival)
    if item.echo or not sender_of(arrival).aliases():
        return None
    (contact,) = await know(tx, [sender_of(arrival)])
    await move_joined(tx, arrival.account_id, contact)
    await tx.gather(store.INSERT_INBOUND, [row_of(arrival)])
    return (await originals(tx, [arrival])).get(key_of(arrival))


def _edit(change: MessageChange, row: MessageRow) -> Statement:
    item = change.message
    return changing.EDIT, {
        "b_account": row["account_id"],
        "b_id": row["id"],
        "at": item.at_ms,
        "new_text": item.text.replace("\x00", ""),
        "new_content": _encode(item.raw).decode(),
    }


def _delete(change: MessageChange, row: MessageRow) -> Statement:
    return changing.TAKE_BACK, {"b_account": row["account_id"], "b_id": row["id"], "at": change.message.at_ms}


async def keep_history(
    tx: Tx, arrivals: Sequence[Arrival], now_ms: int
) -> list[tuple[Arrival, str, Recognised | None]]:
    """Keep what was said before the line was ours, where it belongs in time; nobody is told of it. Returns what is new.

    A file's message comes first without the file and then with it.
    """
    theirs = [one for one in arrivals if one.role == "history"]
    ours = [one for one in arrivals if one.role == "old_echo"]
    contacts = await recognise(tx, [sender_of(one) for one in theirs]) if theirs else []
    for arrival, known in zip(theirs, contacts, strict=True):
        await move_joined(tx, arrival.account_id, known)
        # Long ago, it was read on the phone.
        await note_answered(
            tx, arrival.account_id, known.contact_id, previous_at_ms=None, at_ms=message_of(arrival).at_ms,
            now_ms=now_ms,
        )  # fmt: skip
    kept: list[tuple[Arrival, str, Recognised | None]] = []
    owners: list[Recognised | None] = [*contacts, *[None] * len(ours)]
    for arrival, contact in zip([*theirs, *ours], owners, strict=True):
        row = row_of(arrival) if contact is not None else echo_row_of(arrival)
        query = store.INSERT_INBOUND if contact is not None else store.INSERT_ECHO
        if await tx.gather(query, [row]):
            kept.append((arrival, row["id"], contact))
        elif message_of(arrival).media is not None:
            which = {
                "b_account": row["account_id"],
                "b_instance": row["instance_id"],
                "b_network_id": row["network_id"],
            }
            values = {"new_type": row["type"], "new_text": row["text"], "new_content": row["content"]}
            filled = await tx.first(changing.FILL, {**which, **values})
            if filled is not None:
                kept.append((arrival, filled["id"], contact))
    return kept
