"""Contacts from a table: every row is checked first; what was agreed to comes in piece by piece.

A piece is one transaction: its contacts, the words that find them, and how far the import is. A crash therefore leaves
no row half in, and the next start goes on at the first row that is not in yet.
"""

from __future__ import annotations

import asyncio
import functools
import re
import zlib
from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import Any, Literal

import msgspec

from tablegram.crm import profiles
from tablegram.crm.consent import ledger
from tablegram.crm.contacts import new_contact
from tablegram.crm.spreadsheets import Sheet
from tablegram.crm.store import contacts as contact_store
from tablegram.crm.store import imports as store
from tablegram.engine import crash_points
from tablegram.errors import Conflict, Invalid
from tablegram.storage.database import Database, Row, Tx
from tablegram.values.folding import fold
from tablegram.values.ids import new_id
from tablegram.values.phone import parse_phone

MAX_ROWS = 100_000
# More wrong rows than this are counted and not listed.
MAX_LISTED = 1_000
# A piece is some milliseconds of the writer's time, and others take their turn between two of them.
PIECE = 100
HINT_DIGITS, HINT_CHARS, WHOLE_NUMBER = 4, 20, 7

Existing = Literal["keep", "update"]
ConsentState = Literal["", "unknown", "granted", "denied"]

_YES = {"1", "yes", "y", "true", "granted", "opt-in", "in", "evet", "e", "var", "onayli", "verdi", "x", "✓", "✔"}
_NO = {"0", "no", "n", "false", "denied", "opt-out", "out", "hayir", "h", "yok", "onaysiz", "vermedi"}
_UNKNOWN = {"", "unknown", "bilinmiyor", "?", "-"}
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_LANGUAGES = {"turkce": "tr", "turkish": "tr", "ingilizce": "en", "english": "en", "almanca": "de", "german": "de",
              "arapca": "ar", "arabic": "ar", "rusca": "ru", "russian": "ru", "fransizca": "fr", "french": "fr"}  # fmt: skip
_SEPARATORS = re.compile(r"[\s().\-/\u00a0\u2010-\u2015]+")
_SHORT = re.compile(r"[+0-9 ()./-]{1,40}", re.ASCII)
_SCIENTIFIC = re.compile(r"[0-9][.,]?[0-9]*[eE]\+?[0-9]+")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """One good row."""

    phone: str
    name: str = ""
    language: str = ""
    tags: list[str] = []
    notes: str = ""
    consent: ConsentState = ""


class RowError(msgspec.Struct, frozen=True):
    """What is wrong with which row: the number of its line, the field, a stable code, and a hint of what stands there.

    It is kept for weeks, also of people who are erased meanwhile, so it tells nobody's name or number.
    """

    row: int
    field: str
    code: str
    value: str = ""


class Checked(msgspec.Struct):
    """Every row of a table, looked at."""

    entries: list[Entry] = []
    errors: list[RowError] = []
    # Rows with an error, listed or not.
    wrong: int = 0
    ignored: list[str] = []


class Plan(msgspec.Struct, frozen=True):
    """What the store keeps of a table until it is in."""

    entries: list[Entry]
    existing: Existing = "update"
    source: str = ""


_PLANS = msgspec.json.Decoder(Plan)


def pack(plan: Plan) -> bytes:
    return zlib.compress(msgspec.json.encode(plan), 3)


def unpack(raw: bytes) -> Plan:
    return _PLANS.decode(zlib.decompress(raw))


class Checker:
    """Looks at a table a few rows at a time, so that whoever waits beside it is served in between."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._rows: Iterator[tuple[int, list[str]]] = sheet.rows()
        self._seen: dict[str, int] = {}
        self.checked = Checked(ignored=sheet.ignored)

    def check_some(self, most: int = 200) -> bool:
        """Look at the next rows; false when there are none left."""
        some = list(islice(self._rows, most))
        for number, cells in some:
            self._check(number, cells)
        if len(self.checked.entries) > MAX_ROWS:
            raise Invalid.field("file", "too_many", f"A file may have at most {MAX_ROWS:,} rows. Split it.")
        return len(some) == most

    def _check(self, number: int, cells: list[str]) -> None:
        given = {field: cells[column].strip() for column, field in self._sheet.columns.items() if column < len(cells)}
        errors: list[RowError] = []
        entry = _entry(number, given, errors)
        if entry is not None and not errors:
            first = self._seen.setdefault(entry.phone, number)
            if first != number:
                errors.append(RowError(number, "phone", "repeated", str(first)))
        if errors or entry is None:
            self.checked.wrong += 1
            room = MAX_LISTED - len(self.checked.errors)
            self.checked.errors += errors[: max(0, room)]
        else:
            self.checked.entries.append(entry)


def _hint(field: str, value: str) -> str:
    """Enough to know a cell again: of a number the last digits, of a word its beginning, of a person nothing."""
    if field == "phone":
        digits = re.sub(r"\D", "", value)
        if len(digits) < WHOLE_NUMBER and _SHORT.fullmatch(value):
            # Too short to be anybody's number: it is shown as it stands there.
            return value
        return f"…{digits[-HINT_DIGITS:]}" if digits else ""
    if field in ("language", "consent"):
        return value if len(value) <= HINT_CHARS else value[:HINT_CHARS] + "…"
    return ""


def _entry(number: int, given: dict[str, str], errors: list[RowError]) -> Entry | None:
    def wrong(field: str, code: str) -> None:
        errors.append(RowError(number, field, code, _hint(field, given.get(field, ""))))

    name = given.get("name", "") or f"{given.get('first_name', '')} {given.get('last_name', '')}".strip()
    phone = read_phone(given.get("phone", ""))
    if isinstance(phone, RowProblem):
        wrong("phone", phone.code)
    for field, value, most in (("name", name, 200), ("notes", given.get("notes", ""), 10_000)):
        if len(value) > most:
            wrong(field, "too_long")
    language = _LANGUAGES.get(fold(given.get("language", "")), given.get("language", "").replace("_", "-"))
    if language and (len(language) > 35 or _LANGUAGE.fullmatch(language) is None):
        wrong("language", "language_unknown")
    tags = _tags(given.get("tags", ""))
    if len(tags) > 50 or any(len(tag) > 60 for tag in tags):
        wrong("tags", "too_many" if len(tags) > 50 else "too_long")
    consent = _consent(given.get("consent"))
    if consent is None:
        wrong("consent", "consent_unknown")
    if errors or isinstance(phone, RowProblem) or consent is None:
        return None
    notes = _CONTROLS.sub("", given.get("notes", ""))
    return Entry(phone, " ".join(_CONTROLS.sub("", name).split()), language, tags, notes, consent)


class RowProblem(msgspec.Struct, frozen=True):
    code: str


def read_phone(text: str) -> str | RowProblem:
    """A number as people write it: with a plus sign, two zeros, spaces, brackets and dashes."""
    # Our own export guards a leading plus sign with a quote; table programs mark a number kept as text so.
    text = text.lstrip("'")
    bare = _SEPARATORS.sub("", text)
    if len(bare) > 16 and len(parts := re.split(r"[\s,;/]+", text)) > 1:
        # Several numbers in one cell, as our own export writes them: the first one tells who it is.
        bare = _SEPARATORS.sub("", parts[0])
    if not bare:
        return RowProblem("phone_missing")
    if _SCIENTIFIC.fullmatch(bare) and "e" in bare.lower():
        return RowProblem("phone_scientific")
    digits = bare.removeprefix("+")
    if digits == bare and digits.startswith("00"):
        digits = digits[2:]
    elif digits.startswith("0"):
        return RowProblem("phone_without_country")
    try:
        return parse_phone(digits)
    except Invalid:
        return RowProblem("phone_invalid")


def _tags(text: str) -> list[str]:
    parts = [" ".join(_CONTROLS.sub("", part).split()) for part in re.split(r"[,;|\n]", text)]
    return list(dict.fromkeys(part for part in parts if part))


def _consent(text: str | None) -> ConsentState | None:
    if text is None:
        return ""
    word = fold(text)
    if word in _UNKNOWN:
        return ""
    return "granted" if word in _YES else "denied" if word in _NO else None


async def bring_in(tx: Tx, account_id: int, entries: list[Entry], plan: Plan, now_ms: int) -> int:
    """Add or change the contacts of one piece; returns how many were known already and kept as they are."""
    numbers = [{"account_id": account_id, "kind": "phone", "value": entry.phone} for entry in entries]
    known = {row["value"]: row["contact_id"] for row in await tx.gather(contact_store.FIND_ALIAS, numbers)}
    fresh = [(entry, _row(account_id, entry, plan, now_ms)) for entry in entries if entry.phone not in known]
    if fresh:
        await tx.many(contact_store.INSERT, [row for _, row in fresh])
        claims = [_alias(account_id, entry.phone, row["id"]) for entry, row in fresh]
        for told in await tx.gather(contact_store.CLAIM_ALIAS, claims):
            known[told["value"]] = told["contact_id"]
        # Somebody wrote for the first time at this very moment, in another process: his contact is the one.
        lost = [row for entry, row in fresh if known[entry.phone] != row["id"]]
        for row in lost:
            await tx.run(contact_store.DELETE, {"b_account": account_id, "b_id": row["id"]})
        kept = [(row, [("phone", entry.phone)]) for entry, row in fresh if known[entry.phone] == row["id"]]
        await profiles.add_terms(tx, kept)
        said = [_word(account_id, row["id"], entry, plan, now_ms) for entry, row in fresh if entry.consent]
        ids = {row["id"] for row, _ in kept}
        await ledger.note(tx, [word for word in said if word.contact_id in ids])
    ours = {row["id"] for _, row in fresh}
    others = [(entry, known[entry.phone]) for entry in entries if known[entry.phone] not in ours]
    if plan.existing == "keep":
        return len(others)
    for entry, contact_id in others:
        await _update(tx, account_id, contact_id, entry, plan, now_ms)
    return 0


def _row(account_id: int, entry: Entry, plan: Plan, now_ms: int) -> dict[str, Any]:
    row = new_contact(account_id, new_id(), entry.name, now_ms)
    row |= {
        "name_is_own": int(bool(entry.name)),
        "language": entry.language,
        "tags": msgspec.json.encode(entry.tags).decode(),
        "notes": entry.notes,
    }
    return row | _consented(entry, plan, now_ms)


def _alias(account_id: int, phone: str, contact_id: str) -> dict[str, Any]:
    return {"account_id": account_id, "kind": "phone", "value": phone, "contact_id": contact_id}


def _consented(entry: Entry, plan: Plan, now_ms: int) -> dict[str, Any]:
    if not entry.consent:
        return {}
    return {"consent": entry.consent, "consent_at": now_ms, "consent_source": plan.source}


def _word(account_id: int, contact_id: str, entry: Entry, plan: Plan, now_ms: int) -> ledger.Word:
    """What the row says that its person said, for which the file is all the proof there is."""
    return ledger.Word(
        account_id=account_id, contact_id=contact_id, state=entry.consent or "unknown", source=plan.source,
        proof=plan.source, at=now_ms,
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
    changed = {name: old[name] for name in ("consent", "consent_at", "consent_source")}
    if entry.consent != old["consent"]:
        changed |= _consented(entry, plan, now_ms)
    says = changed["consent_at"] != old["consent_at"] or changed["consent"] != old["consent"]
    changed |= {
        "name": entry.name or old["name"],
        "name_is_own": 1 if entry.name else old["name_is_own"],
        "language": entry.language or old["language"],
        "tags": msgspec.json.encode(tags).decode(),
        "notes": notes,
    }
    if all(changed[name] == old[name] for name in changed):
        return
    await tx.run(contact_store.UPDATE, {**which, **{f"new_{name}": value for name, value in changed.items()}})
    if says:
        await ledger.note(tx, [_word(account_id, contact_id, entry, plan, now_ms)])
    await profiles.tell_terms(tx, account_id, contact_id)


async def forget(db: Database, account_id: int, phones: Collection[str]) -> None:
    """Take a person out of the tables that wait to be started. Raises `Conflict` while one with him comes in."""
    for row in await db.all(store.HELD, {"b_account": account_id}):
        packed, left = await asyncio.to_thread(_without, bytes(row["rows"]), phones)
        if packed is None:
            continue
        which = {"b_account": account_id, "b_id": row["id"], "new_rows": packed, "new_total": left}
        changed = row["state"] == "checked" and await db.write(functools.partial(_replace, which=which))
        if not changed:
            raise Conflict(
                "An import that names him is running. Try again in a moment.", code="state_conflict", retry_after_s=2
            )


async def _replace(tx: Tx, which: dict[str, Any]) -> int:
    return await tx.run(store.REPLACE_ROWS, which)


def _without(packed: bytes, phones: Collection[str]) -> tuple[bytes | None, int]:
    """A table without these numbers and how many rows it has; no table when none of them is in it."""
    plan = unpack(packed)
    left = [entry for entry in plan.entries if entry.phone not in phones]
    if len(left) == len(plan.entries):
        return None, len(left)
    return pack(msgspec.structs.replace(plan, entries=left)), len(left)


async def advance(tx: Tx, row: Row, plan: Plan, done: int, now_ms: int) -> int:
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


def encode_errors(checked: Checked) -> str:
    told = {"wrong": checked.wrong, "rows": checked.errors, "ignored": checked.ignored[:50]}
    return msgspec.json.encode(told).decode()


def sample(entries: Iterable[Entry], most: int = 5) -> list[dict[str, Any]]:
    """The first rows, to show how the table was understood."""
    names = Entry.__struct_fields__
    return [{name: getattr(entry, name) for name in names} for entry in islice(entries, most)]
