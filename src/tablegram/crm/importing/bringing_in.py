"""Contacts from a table: what was agreed to comes in piece by piece.

A piece is one transaction: its contacts, the words that find them, and how far the import is. A crash therefore leaves
no row half in, and the next start goes on at the first row that is not in yet.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from tablegram.crm import profiles
from tablegram.crm.consent import ledger
from tablegram.crm.contacts import new_contact
from tablegram.crm.importing.checking import WHOLE_NUMBER, Entry, Plan, RefusedRow, pack, unpack
from tablegram.crm.rows import AliasRow, NewContact, SaidOfConsent, WhichImport
from tablegram.crm.store import contacts as contact_store
from tablegram.crm.store import imports as store
from tablegram.engine import crash_points
from tablegram.errors import Conflict
from tablegram.storage.database import Database, Tx
from tablegram.storage.group_commit import CameSecond
from tablegram.values.ids import new_id

# A piece is some milliseconds of the writer's time, and others take their turn between two of them.
PIECE = 100
# Tables of one account that wait to be agreed to or come in: each may hold megabytes, and people's numbers.
MAX_OPEN = 10


async def need_room(tx: Tx, account_id: int) -> None:
    count = await tx.first(store.OPEN, {"b_account": account_id})
    if count is not None and count["n"] >= MAX_OPEN:
        raise Conflict(
            f"{MAX_OPEN} imports wait or come in already. Start them or throw them away first.", code="imports_full"
        )


async def bring_in(tx: Tx, account_id: int, entries: list[Entry], plan: Plan, now_ms: int) -> int:
    """Add or change the contacts of one piece; returns how many were known already and kept as they are."""
    numbers = [{"account_id": account_id, "kind": "phone", "value": entry.phone} for entry in entries]
    known = {row["value"]: row["contact_id"] for row in await tx.gather(contact_store.FIND_ALIAS, numbers)}
    fresh = [(entry, _row(account_id, entry, plan, now_ms)) for entry in entries if entry.phone not in known]
    if fresh:
        await tx.many(contact_store.INSERT, [row for _, row in fresh])
        ids = {entry.phone: row["id"] for entry, row in fresh}
        claims = [_alias(account_id, phone, ids[phone]) for phone in sorted(ids)]
        for told in await tx.gather(contact_store.CLAIM_ALIAS, claims):
            if told["contact_id"] != ids[told["value"]]:
                # Somebody wrote for the first time at this very moment, in another process: their contact is the one.
                raise CameSecond
        known |= ids
        await profiles.add_terms(tx, [(row, [("phone", entry.phone)]) for entry, row in fresh])
        said = [_word(account_id, row["id"], entry, plan, now_ms) for entry, row in fresh if entry.consent]
        await ledger.note(tx, said)
    ours = {row["id"] for _, row in fresh}
    others = [(entry, known[entry.phone]) for entry in entries if known[entry.phone] not in ours]
    if plan.existing == "keep":
        return len(others)
    for entry, contact_id in others:
        await _update(tx, account_id, contact_id, entry, plan, now_ms)
    return 0


def _row(account_id: int, entry: Entry, plan: Plan, now_ms: int) -> NewContact:
    return {
        **new_contact(account_id, new_id(), entry.name, now_ms),
        "name_is_own": int(bool(entry.name)),
        "language": entry.language,
        "birthday": entry.birthday,
        "tags": msgspec.json.encode(entry.tags).decode(),
        "notes": entry.notes,
        **_consented(entry, plan, now_ms),
    }


def _alias(account_id: int, phone: str, contact_id: str) -> AliasRow:
    return {"account_id": account_id, "kind": "phone", "value": phone, "contact_id": contact_id}


def _consented(entry: Entry, plan: Plan, now_ms: int) -> SaidOfConsent:
    if not entry.consent:
        return {}
    return {"consent": entry.consent, "consent_at": _said_at(entry, now_ms), "consent_source": _said_where(entry, plan)}


def _said_at(entry: Entry, now_ms: int) -> int:
    """When it was said, which is never later than now."""
    return min(entry.consent_at or now_ms, now_ms)


def _said_where(entry: Entry, plan: Plan) -> str:
    return entry.consent_source or plan.source


def _word(account_id: int, contact_id: str, entry: Entry, plan: Plan, now_ms: int) -> ledger.Word:
    """What the row says that its person said; where it shows no proof, the file is all there is."""
    return ledger.Word(
        account_id=account_id, contact_id=contact_id, state=entry.consent or "unknown",
        source=_said_where(entry, plan), text_version=entry.consent_text, proof=entry.consent_proof or plan.source,
        by=plan.source, at=_said_at(entry, now_ms),
    )  # fmt: skip


async def _update(tx: Tx, account_id: int, contact_id: str, entry: Entry, plan: Plan, now_ms: int) -> None:
    """What the row gives comes in; what it leaves empty stays. Tags are added, notes follow the old ones."""
    which = {"b_account": account_id, "b_id": contact_id}
    old = await tx.first(contact_store.LOCK, which)
    if old is None:
        return
    notes = old["notes"]
    if entry.notes and entry.notes not in notes:
        notes = f"{notes}\n{entry.notes}"[:10_000] if notes else entry.notes
    tags = list(dict.fromkeys([*profiles.tags_of(old), *entry.tags]))[:50]
    if entry.consent and entry.consent != old["consent"]:
        # What holds afterwards is the ledger's to say: a table may tell of something that was said before.
        await ledger.hear(tx, _word(account_id, contact_id, entry, plan, now_ms))
        old = await tx.first(contact_store.LOCK, which) or old
    before: Mapping[str, object] = old
    changed = {
        **{name: before[name] for name in ("consent", "consent_at", "consent_source")},
        "name": entry.name or old["name"],
        "name_is_own": 1 if entry.name else old["name_is_own"],
        "language": entry.language or old["language"],
        "birthday": entry.birthday or old["birthday"],
        "tags": msgspec.json.encode(tags).decode(),
        "notes": notes,
    }
    if all(changed[name] == before[name] for name in changed):
        return
    await tx.run(contact_store.UPDATE, {**which, **{f"new_{name}": value for name, value in changed.items()}})
    await profiles.tell_terms(tx, account_id, contact_id)


async def forget(db: Database, account_id: int, phones: Collection[str]) -> None:
    """Take a person out of the tables that wait to be started. Raises `Conflict` while one with them comes in."""
    for row in await db.all(store.HELD, {"b_account": account_id}):
        packed, left = await asyncio.to_thread(_without, bytes(row["rows"]), phones)
        if packed is None:
            continue
        which = {"b_account": account_id, "b_id": row["id"], "new_rows": packed, "new_total": left}
        if row["state"] != "checked" or not await db.write(functools.partial(_replace, which=which)):
            raise Conflict(
                "An import that names them is running. Try again in a moment.", code="state_conflict", retry_after_s=2
            )


async def _replace(tx: Tx, which: dict[str, Any]) -> int:
    return await tx.run(store.REPLACE_ROWS, which)


def _without(packed: bytes, phones: Collection[str]) -> tuple[bytes | None, int]:
    """A table without these numbers and how many rows it has; no table when none of them is in it."""
    plan = unpack(packed)
    left = [entry for entry in plan.entries if entry.phone not in phones]
    refused = [one for one in plan.refused if not _names_one(one, phones)]
    if len(left) == len(plan.entries) and len(refused) == len(plan.refused):
        return None, len(left)
    return pack(msgspec.structs.replace(plan, entries=left, refused=refused)), len(left)


def _names_one(wrong: RefusedRow, phones: Collection[str]) -> bool:
    """Whether a wrong row may be about one of these numbers: a cell ends like it, however it begins."""
    ends = {phone[-WHOLE_NUMBER:] for phone in phones}
    digits = ["".join(sign for sign in cell if sign.isdigit()) for cell in wrong.cells]
    return any(cell.endswith(end) for cell in digits for end in ends)


async def advance(tx: Tx, row: WhichImport, plan: Plan, done: int, now_ms: int) -> int:
    """Bring in the next piece of an import; returns how far it is then. Somebody else's piece is never done twice."""
    which = {"b_account": row["account_id"], "b_id": row["id"]}
    present = await tx.first(store.LOCK, which)
    if present is None or present["state"] != "running":
        return len(plan.entries)
    done = present["done"]
    piece = plan.entries[done : done + PIECE]
    skipped = await bring_in(tx, row["account_id"], piece, plan, now_ms) if piece else 0
    far = done + len(piece)
    await tx.run(store.ADVANCE, {**which, "far": far, "more_skipped": skipped})
    if far >= len(plan.entries):
        await tx.run(store.FINISH, {**which, "now": now_ms})
    crash_points.reach("import.before_commit")
    return far
