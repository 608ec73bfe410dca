"""Tables, who serves them, and the signature that stands in the code on each.

A code carries the table's label and a short signature over the table and its generation. When a code leaks the
generation grows, and every code that was printed before is refused.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import Any, Literal
from urllib.parse import urlencode

import msgspec

from tablegram.engine.sealing.resealing import again, seal_again
from tablegram.errors import Conflict, FieldError, Invalid, Misconfigured, NotFound, no_such
from tablegram.restaurant.carts import keeping as carts
from tablegram.restaurant.menu.model import clean_line
from tablegram.restaurant.rows.venues import SigningKey, TableRow
from tablegram.restaurant.store import tables as store
from tablegram.restaurant.store import venues as venue_store
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.folding import fold
from tablegram.values.ids import random_base62
from tablegram.values.secrets import SecretBox

MAX_TABLES = 1_000
MAX_LABEL = 40
MAX_SEATS = 1_000
# 72 bits, written as 12 characters: nobody guesses one, and the code stays coarse enough for a cheap camera.
SIGNATURE_BYTES = 9


class Table(msgspec.Struct, frozen=True):
    account_id: int
    id: str
    venue_id: str
    # As it stands on the table: a number or a name.
    label: str
    created_at: int
    section_id: str | None = None
    waiter_id: str | None = None
    seats: int | None = None
    position: int = 0
    generation: int = 1
    # Who serves it, by the table itself or by its section; empty when nobody does.
    section_name: str = ""
    waiter_name: str = ""
    waiter_phone: str = ""


def label_key(label: str) -> str:
    """What two labels share when people take them for the same: `Bahçe 3` and `bahce 3`, `12` and `012`."""
    folded = fold(clean_line(label))
    return folded.lstrip("0") or "0" if folded.isdigit() else folded


def check_table(table: Table) -> list[FieldError]:
    errors = []
    if not 0 < len(table.label) <= MAX_LABEL or table.label != clean_line(table.label):
        errors.append(
            FieldError("label", "label_invalid", f"A table has a number or a name of up to {MAX_LABEL} signs.")
        )
    if table.seats is not None and not 1 <= table.seats <= MAX_SEATS:
        errors.append(FieldError("seats", "out_of_range", f"A table has 1 to {MAX_SEATS:,} seats."))
    return errors


async def add(tx: Tx, table: Table) -> Table:
    """Keep a new table, behind the others."""
    await _check(tx, table)
    count = await tx.first(store.COUNT, _venue(table.account_id, table.venue_id))
    if count is not None and count["n"] >= MAX_TABLES:
        raise Conflict(f"A venue has at most {MAX_TABLES:,} tables.", code="tables_full")
    last = -1 if count is None or count["last"] is None else count["last"]
    kept = msgspec.structs.replace(table, position=last + 1)
    await tx.run(store.INSERT, _row(kept))
    return await find(tx, table.account_id, table.venue_id, table.id)


async def update(tx: Tx, table: Table) -> Table:
    """Keep a changed table. Its codes stay valid as long as its label does."""
    await find(tx, table.account_id, table.venue_id, table.id)
    await _check(tx, table)
    which = {**_venue(table.account_id, table.venue_id), "b_id": table.id}
    await tx.run(store.UPDATE, {**which, **{f"new_{name}": value for name, value in _row(table).items()}})
    return await find(tx, table.account_id, table.venue_id, table.id)


async def remove(tx: Tx, account_id: int, venue_id: str, table_id: str) -> None:
    await find(tx, account_id, venue_id, table_id)
    await tx.run(store.DELETE, {**_venue(account_id, venue_id), "b_id": table_id})


async def rotate(tx: Tx, account_id: int, venue_id: str, table_id: str) -> Table:
    """Refuse every code of the table that was printed until now, and the carts that were opened with one."""
    await find(tx, account_id, venue_id, table_id)
    await tx.run(store.ROTATE, {**_venue(account_id, venue_id), "b_id": table_id})
    await carts.withdraw(tx, account_id, venue_id, table_id)
    return await find(tx, account_id, venue_id, table_id)


async def rotate_all(tx: Tx, account_id: int, venue_id: str) -> int:
    """The same for every table of the venue; answers how many."""
    count = await tx.run(store.ROTATE_ALL, _venue(account_id, venue_id))
    await carts.withdraw(tx, account_id, venue_id)
    return count


async def has_still(tx: Tx, table: Table) -> bool:
    """Whether the table's code is still the one that was read; it stays so until this transaction ends."""
    which = {**_venue(table.account_id, table.venue_id), "b_id": table.id}
    row = await tx.first(store.HOLD_GENERATION, which)
    return row is not None and row["generation"] == table.generation


async def find(tx: Tx, account_id: int, venue_id: str, table_id: str) -> Table:
    row = await tx.first(store.GET, {**_venue(account_id, venue_id), "b_id": table_id})
    if row is None:
        raise NotFound(no_such("table", "venue"), code="table_unknown")
    return read(row)


async def find_by_label(tx: Tx, account_id: int, venue_id: str, label: str) -> Table | None:
    """The table that a guest names, however they write it."""
    row = await tx.first(store.BY_LABEL, {**_venue(account_id, venue_id), "b_label": label_key(label[:200])})
    return None if row is None else read(row)


async def every(tx: Tx, account_id: int, venue_id: str) -> list[Table]:
    return [read(row) for row in await tx.all(store.ALL, _venue(account_id, venue_id))]


# Signatures.


def new_signing_key(box: SecretBox) -> str:
    """A key for a new venue, sealed. It is the venue's own, so that printed codes outlive the installation's key."""
    return box.seal(random_base62(32))


async def reseal(db: Database, box: SecretBox) -> int:
    """Seal every venue's key with the present key of the installation; answers how many were not."""

    def fresh(row: SigningKey) -> dict[str, object]:
        old = row["signing_key"]
        return {"b_account": row["account_id"], "b_id": row["id"], "b_old": old, "new_key": again(box, old)}

    keys, write = venue_store.SIGNING_KEYS, venue_store.SEAL_AGAIN
    return await seal_again(db, box, keys, write, lambda row: (row["signing_key"],), fresh)


async def count_keys(db: Database, box: SecretBox) -> tuple[int, int, int]:
    """How many venues there are; how many of their keys another key of ours sealed; and how many cannot be opened."""
    rows = await db.all(venue_store.SIGNING_KEYS)
    unopened = sum(not _opens(box, row["signing_key"]) for row in rows)
    return len(rows), sum(not box.is_current(row["signing_key"]) for row in rows) - unopened, unopened


def _opens(box: SecretBox, sealed: str) -> bool:
    try:
        box.open(sealed)
    except Misconfigured:
        return False
    return True


def sign(box: SecretBox, venue: Venue, table: Table) -> str:
    """The `t` of a table's code."""
    # Parts are told apart by their lengths, so that no two tables are the same text.
    parts = [str(venue.account_id), venue.id, table.id, str(table.generation)]
    text = "".join(f"{len(part)}:{part}" for part in ["table", *parts])
    digest = hmac.new(box.open(venue.signing_key).encode(), text.encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest[:SIGNATURE_BYTES]).decode()


Admission = Literal["signed", "unsigned", "forged", "refused"]


def admit(box: SecretBox, venue: Venue, table: Table, given: str | None) -> Admission:
    """Whether a guest may sit at a table with what their code says.

    `forged` is a signature that does not fit, or no longer; it is refused even where none is needed. `refused` is
    none where one is needed.
    """
    if not given:
        return "refused" if venue.refuses_unsigned else "unsigned"
    right = hmac.compare_digest(sign(box, venue, table).encode(), given.encode("utf-8", "replace"))
    return "signed" if right else "forged"


def menu_link(base_url: str, box: SecretBox, venue: Venue, table: Table) -> str:
    """What the code on a table opens. `base_url` is the API's, version included."""
    query = urlencode({"table": table.label, "venue": venue.id, "t": sign(box, venue, table)})
    return f"{base_url.rstrip('/')}/menu?{query}"


def read(row: TableRow) -> Table:
    return Table(
        account_id=row["account_id"],
        id=row["id"],
        venue_id=row["venue_id"],
        label=row["label"],
        created_at=row["created_at"],
        section_id=row["section_id"],
        waiter_id=row["waiter_id"],
        seats=row["seats"],
        position=row["position"],
        generation=row["generation"],
        section_name=row["section_name"] or "",
        waiter_name=row["waiter_name"] or "",
        waiter_phone=row["waiter_phone"] or "",
    )


def _row(table: Table) -> dict[str, Any]:
    row = msgspec.structs.asdict(table)
    for name in ("section_name", "waiter_name", "waiter_phone"):
        del row[name]
    return {**row, "label_key": label_key(table.label)}


async def _check(tx: Tx, table: Table) -> None:
    errors = check_table(table)
    which = {"b_account": table.account_id, "b_venue": table.venue_id}
    if table.section_id is not None:
        known = {row["id"] for row in await tx.all(venue_store.SECTIONS, which)}
        if table.section_id not in known:
            errors.append(FieldError("section_id", "section_unknown", no_such("section", "venue")))
    if table.waiter_id is not None:
        known = {row["id"] for row in await tx.all(venue_store.WAITERS, which)}
        if table.waiter_id not in known:
            errors.append(FieldError("waiter_id", "waiter_unknown", no_such("waiter", "venue")))
    if errors:
        raise Invalid.fields(errors)
    taken = await find_by_label(tx, table.account_id, table.venue_id, table.label)
    if taken is not None and taken.id != table.id:
        raise Conflict(f"There is a table {taken.label} already. Choose another name.", code="label_taken")


def _venue(account_id: int, venue_id: str) -> dict[str, Any]:
    return {"b_account": account_id, "b_venue": venue_id}
