"""Contacts as a file, written while it is read: JSON for programs, CSV for tables."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from tablegram.storage.database import Tx
from tablegram.values import Json
from tablegram.values.files.spreadsheets import harmless_in_csv

Columns = Mapping[str, Callable[[Json], Any]]


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

COLUMNS: Columns = {
    "id": lambda contact: contact["id"],
    "name": lambda contact: contact["name"],
    "phones": lambda contact: " ".join(contact["phones"]),
    "other_names": lambda contact: " ".join(alias["value"] for alias in contact["aliases"] if alias["kind"] != "phone"),
    "language": lambda contact: contact["language"],
    "birthday": lambda contact: contact["birthday"],
    "tags": lambda contact: ", ".join(contact["tags"]),
    "notes": lambda contact: contact["notes"],
    "consent": lambda contact: contact["consent"]["state"],
    "consent_at": lambda contact: contact["consent"]["at"] or "",
    "consent_source": lambda contact: contact["consent"]["source"],
    "first_seen_at": lambda contact: contact["first_seen_at"],
    "last_seen_at": lambda contact: contact["last_seen_at"],
    "last_instance_id": lambda contact: contact["last_instance_id"] or "",
    "window_until": lambda contact: contact["window_until"] or "",
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


async def as_csv(contacts: AsyncIterator[msgspec.Struct], holdings: Iterable[Holding] = ()) -> AsyncIterator[bytes]:
    columns = dict(COLUMNS)
    for holding in holdings:
        columns |= holding.columns
    # The mark at the beginning tells table programs that this is UTF-8.
    yield "\ufeff".encode() + _written([list(columns)])
    rows: list[list[str]] = []
    async for contact in contacts:
        told = msgspec.to_builtins(contact)
        rows.append([harmless_in_csv(str(read(told))) for read in columns.values()])
        if len(rows) >= CHUNK:
            yield _written(rows)
            rows.clear()
    yield _written(rows)


def _written(rows: list[list[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()
