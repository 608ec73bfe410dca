"""A key as the store keeps it and as it can be shown: never the key itself."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.accounts.keys.key_format import Mode
from tablegram.accounts.rows import KeyRow


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """A key as it can be shown: everything but the key."""

    account_id: int
    id: str
    mode: Mode
    name: str
    last4: str
    scopes: tuple[str, ...]
    created_at: int
    expires_at: int | None
    revoked_at: int | None
    last_used_at: int | None


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key just made. `token` is the key itself and exists nowhere else."""

    token: str
    record: KeyRecord


def key_row(record: KeyRecord, hashed: str) -> dict[str, object]:
    """The row that keeps a new key, by its hash."""
    return {
        "account_id": record.account_id,
        "id": record.id,
        "mode": record.mode,
        "name": record.name,
        "hash": hashed,
        "last4": record.last4,
        "scopes": " ".join(record.scopes),
        "created_at": record.created_at,
        "expires_at": record.expires_at,
    }


def key_record(row: KeyRow) -> KeyRecord:
    return KeyRecord(
        account_id=row["account_id"],
        id=row["id"],
        mode=row["mode"],
        name=row["name"],
        last4=row["last4"],
        scopes=tuple(row["scopes"].split()),
        created_at=row["created_at"],
        expires_at=row["expires_at"],
        revoked_at=row["revoked_at"],
        last_used_at=row["last_used_at"],
    )
