"""A link for one person, sent to their own number: who opens it sees what is held of them. It ends by itself."""

from __future__ import annotations

import secrets

import msgspec

from tablegram.crm.rows import DataLinkRow
from tablegram.crm.store import data_links as store
from tablegram.storage.database import Tx
from tablegram.values.clock import DAY_MS, HOUR_MS
from tablegram.values.ids import new_id
from tablegram.values.secrets import SecretBox

KEY_BYTES = 24
LASTS_MS = 24 * HOUR_MS
# Links of one person within a day.
MOST = 3
CUSTOMER = "customer"
LANGUAGES = ("en", "tr")


class DataLink(msgspec.Struct, frozen=True, kw_only=True):
    account_id: int
    id: str
    contact_id: str
    language: str
    asked_by: str
    created_at: int
    expires_at: int
    account_name: str = ""


async def is_asked_enough(tx: Tx, account_id: int, contact_id: str, now: int) -> bool:
    row = await tx.first(store.COUNT, {"b_account": account_id, "b_id": contact_id, "after": now - DAY_MS})
    return row is not None and row["n"] >= MOST


async def make(
    tx: Tx, box: SecretBox, account_id: int, contact_id: str, language: str, asked_by: str, now: int
) -> tuple[DataLink, str]:
    """A new link and its key, which is known here only now."""
    key = secrets.token_urlsafe(KEY_BYTES)
    link = DataLink(
        account_id=account_id, id=new_id(now), contact_id=contact_id,
        language=language if language in LANGUAGES else "en", asked_by=asked_by, created_at=now,
        expires_at=now + LASTS_MS,
    )  # fmt: skip
    row = {**msgspec.structs.asdict(link), "key_hash": box.pepper_hash(_named(key))}
    del row["account_name"]
    await tx.run(store.INSERT, row)
    return link, key


async def find(tx: Tx, box: SecretBox, key: str, now: int) -> DataLink | None:
    """Whose link it is, under any of the installation's keys; nothing once it has ended."""
    for hashed in box.hashes(_named(key)):
        row = await tx.first(store.BY_KEY, {"b_hash": hashed, "now": now})
        if row is not None:
            return _link(row)
    return None


def _named(key: str) -> str:
    return f"data link {key}"


def _link(row: DataLinkRow) -> DataLink:
    return DataLink(
        account_id=row["account_id"],
        id=row["id"],
        contact_id=row["contact_id"],
        language=row["language"],
        asked_by=row["asked_by"],
        created_at=row["created_at"],
        expires_at=row["expires_at"],
        account_name=row["account_name"],
    )
