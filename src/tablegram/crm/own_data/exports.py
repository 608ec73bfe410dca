"""Contacts as a file, written while it is read: JSON for programs, CSV for tables."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from tablegram.crm.answers.contacts import ContactView
from tablegram.storage.database import Tx
from tablegram.values.files.spreadsheets import harmless_in_csv

# What a cell shows of what one part holds of a contact.
Columns = Mapping[str, Callable[[Sequence[msgspec.Struct]], object]]


@dataclass(frozen=True, slots=True)
class Holding:
    """What one part holds of a contact, as the export shows it: a list in the document, some columns in the table."""

    name: str
    # By the ids of contacts: what is held of each, in one look.
    read: Callable[[Tx, int, list[str]], Awaitable[Mapping[str, Sequence[msgspec.Struct]]]]
    columns: Columns = field(default_factory=dict)
    # What one must be allowed to, besides reading contacts, to see it.
    scope: str = ""


# Lines that are sent together; one at a time would cost more than writing them.
CHUNK = 200

COLUMNS: Mapping[str, Callable[[ContactView], object]] = {
    "id": lambda contact: contact.id,
    "name": lambda contact: contact.name,
    "phones": lambda contact: " ".join(contact.phones),
    "other_names": lambda contact: " ".join(alias.value for alias in contact.aliases if alias.kind != "phone"),
    "language": lambda contact: contact.language,
    "birthday": lambda contact: contact.birthday,
    "tags": lambda contact: ", ".join(contact.tags),
    "notes": lambda contact: contact.notes,
    "consent": lambda contact: contact.consent.state,
    "consent_at": lambda contact: contact.consent.at or "",
    "consent_source": lambda contact: contact.consent.source,
    "first_seen_at": lambda contact: contact.first_seen_at,
    "last_seen_at": lambda contact: contact.last_seen_at,
    "last_instance_id": lambda contact: contact.last_instance_id or "",
    "window_until": lambda contact: contact.window_until or "",
}


async def as_json(empty: msgspec.Struct, entries: AsyncIterator[msgspec.Struct]) -> AsyncIterator[bytes]:
    """One JSON document, written while it is read: `empty` without its entries, and these inside its list.

    Whoever stops reading early does not have valid JSON by accident.
    """
    lines: list[bytes] = []
    head, _, end = msgspec.json.encode(empty).partition(b"[]")
    before = head + b"["
    async for entry in entries:
        lines.append(before + msgspec.json.encode(entry))
        before = b",\n"
        if len(lines) >= CHUNK:
            yield b"".join(lines)
            lines.clear()
    lines.append((before if before != b",\n" else b"") + b"]" + end)
    yield b"".join(lines)


async def as_csv(contacts: AsyncIterator[ContactView], holdings: Iterable[Holding] = ()) -> AsyncIterator[bytes]:
    more = [(one.name, name, tell) for one in holdings for name, tell in one.columns.items()]
    # The mark at the beginning tells table programs that this is UTF-8.
    yield "\ufeff".encode() + _written([[*COLUMNS, *(name for _, name, _ in more)]])
    rows: list[list[str]] = []
    async for contact in contacts:
        told = [tell(contact) for tell in COLUMNS.values()]
        told += [tell(_held(contact, field)) for field, _, tell in more]
        rows.append([harmless_in_csv(str(one)) for one in told])
        if len(rows) >= CHUNK:
            yield _written(rows)
            rows.clear()
    yield _written(rows)


def _held(contact: ContactView, field: str) -> list[msgspec.Struct]:
    """What a part holds stands in a field of its name."""
    found: object = getattr(contact, field, None)
    return found if isinstance(found, list) else []


def _written(rows: list[list[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()
