"""Bodies of API calls, for an account that wants to see them: without secrets, cut short, and kept for some days.

Nothing is kept unless an account switches it on. Who switches it off takes away what was kept.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys import store
from tablegram.accounts.keys.keys import Caller, KeyRing
from tablegram.accounts.rows import BodiesRow
from tablegram.storage.database import Database, Tx
from tablegram.values.figures.counting import counted

# They show what guests write and who they are.
READER = "account:manage"
# What is longer than this is not looked into.
MAX_RAW_BYTES = 131_072
MAX_KEPT_CHARS = 16_000
MAX_VALUE_CHARS = 1_000
MAX_ENTRIES = 20
MAX_DEPTH = 12

HIDDEN = "•••"
_SECRET_NAME = re.compile(
    r"pass|secret|token|credential|authori[sz]|cookie|signature|private|(^|[_-])(key|pin|otp|cvc|cvv|pan)$|card_?number|api_?key",
    re.IGNORECASE,
)
# What opens a door wherever it stands: our keys, webhook secrets, links to sign in, addresses of hooks, headers.
_SECRET_VALUE = re.compile(
    r"(tg_(?:live|test)_|whsec_|/panel/link/|/hooks/[a-z]+/(?:[a-z]+/)?|/print/[a-z]+/|[Bb]earer |[Bb]asic )[^\s\"'<>&?/]+"
)
_DATA = re.compile(r"(data:[\w/+.-]{0,80};base64,)?[A-Za-z0-9+/_=\r\n-]{200,}")


class Bodies:
    def __init__(self, db: Database, keys: KeyRing, audit: Audit) -> None:
        self._db = db
        self._keys = keys
        self._audit = audit

    async def are_kept(self, caller: Caller) -> bool:
        row = await self._db.first(store.KEEPS_BODIES, {"id": caller.account_id})
        return row is not None and bool(row["keeps_bodies"])

    async def keep(self, caller: Caller, wanted: bool) -> None:
        """Switch it on or off; here it acts at once, in other processes within seconds."""
        caller.require(READER)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> None:
            await tx.run(store.SWITCH_BODIES, {"which": caller.account_id, "keeps": int(wanted)})
            if not wanted:
                await tx.run(store.DELETE_BODIES, {"b_account": caller.account_id})
            done = "account.bodies_kept" if wanted else "account.bodies_dropped"
            await acting.note(tx, done, "account", caller.account_id)

        await self._db.write(work)
        self._keys.forget(caller.account_id)

    async def of(self, caller: Caller, call_id: str) -> BodiesRow | None:
        """The bodies of one call, by the id of its row in the log."""
        caller.require(READER)
        return await self._db.first(store.BODIES_OF_CALL, {"account_id": caller.account_id, "id": call_id})


async def forget(tx: Tx, account_id: int, words: list[str]) -> int:
    """Delete every body in which one of these words stands."""
    gone = 0
    for word in words:
        plain = word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        gone += await tx.run(store.DELETE_BODIES_WITH, {"b_account": account_id, "like": f"%{plain}%"})
    return gone


def shown(raw: bytes) -> str:
    """A body as it is kept: JSON in lines, without secrets and files; other things only by their size."""
    if not raw:
        return ""
    if len(raw) > MAX_RAW_BYTES:
        return f"({counted(len(raw), 'byte')}, too large to keep)"
    try:
        value = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return f"({counted(len(raw), 'byte')}, no JSON)"
    text = msgspec.json.format(msgspec.json.encode(_clean(value, 0)), indent=2).decode()
    return text if len(text) <= MAX_KEPT_CHARS else f"{text[:MAX_KEPT_CHARS]}\n…"


def _clean(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return _clean_text(value)
    if not isinstance(value, dict | list):
        return value
    if depth == MAX_DEPTH:
        return "…"
    if isinstance(value, dict):
        kept = {
            name[:100]: HIDDEN if one and _SECRET_NAME.search(name) else _clean(one, depth + 1)
            for name, one in list(value.items())[: MAX_ENTRIES * 4]
        }
        return kept if len(value) <= MAX_ENTRIES * 4 else {**kept, "…": f"{len(value) - MAX_ENTRIES * 4} more"}
    cleaned = [_clean(one, depth + 1) for one in value[:MAX_ENTRIES]]
    return cleaned if len(value) <= MAX_ENTRIES else [*cleaned, f"… {len(value) - MAX_ENTRIES} more"]


def _clean_text(text: str) -> str:
    if _DATA.fullmatch(text):
        return f"({len(text):,} characters of data)"
    cut = _SECRET_VALUE.sub(rf"\1{HIDDEN}", text[: MAX_VALUE_CHARS * 2])
    return cut if len(text) <= MAX_VALUE_CHARS else f"{cut[:MAX_VALUE_CHARS]}… ({len(text):,} characters)"
