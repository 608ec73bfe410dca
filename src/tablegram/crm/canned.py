"""Canned replies: texts that people send often, each called by a short word after a slash."""

from __future__ import annotations

import re

import msgspec
from msgspec.structs import asdict, replace

from tablegram.crm.rows import CannedRow
from tablegram.crm.store import canned as store
from tablegram.errors import Conflict, Invalid, NotFound, no_such
from tablegram.storage.database import Tx

MAX_REPLIES = 500
MAX_TEXT = 4_096
MAX_SHORTCUT = 40

# One word as people type it after a slash, in any alphabet.
_SHORTCUT = re.compile(r"[^\W_][\w-]*")
# What a text may hold that the program fills in.


def clean_shortcut(text: str) -> str:
    """The word without its slash, in small letters."""
    shortcut = text.strip().removeprefix("/").lower()
    if len(shortcut) > MAX_SHORTCUT or _SHORTCUT.fullmatch(shortcut) is None:
        raise Invalid.field(
            "shortcut", "format_invalid", f"The shortcut is one word of letters, digits and -, up to {MAX_SHORTCUT}."
        )
    return shortcut


def clean_text(text: str) -> str:
    cleaned = text.replace("\r\n", "\n").replace("\x00", "").strip()
    if not cleaned:
        raise Invalid.field("text", "blank", "Write the text of the reply.")
    if len(cleaned) > MAX_TEXT:
        raise Invalid.field("text", "too_long", f"The text may have at most {MAX_TEXT:,} characters.")
    return cleaned


class Canned(msgspec.Struct, kw_only=True, frozen=True):
    """A canned reply."""

    account_id: int
    id: str
    shortcut: str
    text: str
    updated_at: int
    updated_by: str


class CannedEdit(msgspec.Struct, kw_only=True, frozen=True):
    """What becomes of one; what is not given stays."""

    shortcut: str | None = None
    text: str | None = None
    updated_at: int
    updated_by: str


def read(row: CannedRow) -> Canned:
    return Canned(**row)


async def add(tx: Tx, reply: Canned) -> None:
    count = await tx.first(store.COUNT, {"b_account": reply.account_id})
    if count is not None and count["n"] >= MAX_REPLIES:
        raise Conflict(f"An account has at most {MAX_REPLIES} canned replies. Delete one first.")
    await _check_free(tx, reply.account_id, reply.shortcut, reply.id)
    await tx.run(store.INSERT, asdict(reply))


async def update(tx: Tx, account_id: int, reply_id: str, change: CannedEdit) -> Canned:
    given = {name: value for name, value in asdict(change).items() if value is not None}
    new = replace(await find(tx, account_id, reply_id), **given)
    await _check_free(tx, account_id, new.shortcut, reply_id)
    which = {"b_account": account_id, "b_id": reply_id}
    await tx.run(
        store.UPDATE, {**which, **{f"new_{name}": getattr(new, name) for name in CannedEdit.__struct_fields__}}
    )
    return new


async def find(tx: Tx, account_id: int, reply_id: str) -> Canned:
    row = await tx.first(store.GET, {"b_account": account_id, "b_id": reply_id})
    if row is None:
        raise NotFound(no_such("canned reply"), code="canned_reply_unknown")
    return read(row)


async def _check_free(tx: Tx, account_id: int, shortcut: str, reply_id: str) -> None:
    taken = await tx.first(store.BY_SHORTCUT, {"b_account": account_id, "b_shortcut": shortcut})
    if taken is not None and taken["id"] != reply_id:
        raise Conflict(f"There is a canned reply /{shortcut} already. Choose another word.", code="shortcut_taken")
