"""Shops and forms: connected, changed, paused, removed; and found by the key of their address."""

from __future__ import annotations

import base64
import re
import secrets
import time
from collections.abc import Mapping, Sequence

import msgspec

from tablegram.engine.sealing.resealing import again, seal_again
from tablegram.errors import Conflict, Invalid, NotFound, no_such
from tablegram.storage.database import Database, Tx
from tablegram.stores.kinds import FORM, KINDS, Kind
from tablegram.stores.model import SOURCE_PREFIX, SourceRow, read_source, write
from tablegram.stores.ports import Source
from tablegram.stores.rows import SealedShop
from tablegram.stores.store import sources as store
from tablegram.values.ids import new_id, random_base62
from tablegram.values.secrets import SecretBox

MAX_SOURCES = 50
MAX_SECRET = 500
HOOK_KEY_LENGTH = 32
_HOOK_KEY = re.compile(rf"[0-9A-Za-z]{{{HOOK_KEY_LENGTH}}}", re.ASCII)
# So long a source found by its key is remembered; one that was paused may be heard that much longer.
REMEMBER_S = 2.0
MAX_REMEMBERED = 1_024

replace = msgspec.structs.replace


class Sources:
    """`platforms` are those that can be connected, by name; `mapped` the facts that people say the place of themselves, by
    platform; `base_url` is the installation's own address.
    """

    def __init__(
        self,
        db: Database,
        box: SecretBox,
        platforms: Mapping[str, Source],
        mapped: Mapping[str, Sequence[str]],
        base_url: str,
    ) -> None:
        self._db = db
        self._box = box
        self.platforms = platforms
        self.mapped = mapped
        self._base_url = base_url.rstrip("/")
        self._remembered: dict[str, tuple[SourceRow, float]] = {}

    def kind(self, platform: str) -> Kind:
        return KINDS.get(platform, Kind())

    # Which one.

    async def every(self, tx: Tx, account_id: int) -> list[SourceRow]:
        return [read_source(row) for row in await tx.all(store.ALL, {"b_account": account_id})]

    async def get(self, tx: Tx, account_id: int, source_id: str) -> SourceRow:
        row = await tx.first(store.GET, {"b_account": account_id, "b_id": source_id})
        if row is None:
            raise unknown()
        return read_source(row)

    async def ever(self, tx: Tx, account_id: int, source_id: str) -> SourceRow | None:
        """Also one that was removed."""
        row = await tx.first(store.EVER, {"b_account": account_id, "b_id": source_id})
        return None if row is None else read_source(row)

    async def lock(self, tx: Tx, account_id: int, source_id: str) -> SourceRow:
        row = await tx.first(store.LOCK, {"b_account": account_id, "b_id": source_id})
        if row is None:
            raise unknown()
        return read_source(row)

    async def by_hook(self, key: str) -> SourceRow | None:
        """Whose address this key is part of; nothing for everybody else."""
        if _HOOK_KEY.fullmatch(key) is None:
            return None
        hashed = self._box.hashes(key)
        known = self._remembered.get(hashed[0])
        if known is not None and known[1] > time.monotonic():
            return known[0]
        for one in hashed:
            row = await self._db.first(store.BY_HOOK, {"b_hash": one})
            if row is not None:
                if len(self._remembered) >= MAX_REMEMBERED:
                    self._remembered.clear()
                found = read_source(row)
                self._remembered[hashed[0]] = found, time.monotonic() + REMEMBER_S
                return found
        return None

    # Keeping.

    def draft(self, account_id: int, platform: str, name: str, secret: str, now: int) -> tuple[SourceRow, str]:
        """A new source with an address of its own, and the secret where we made one."""
        if platform not in self.platforms:
            known = ", ".join(sorted(self.platforms))
            words = f"There is no platform {platform[:40]!r}. Choose from: {known}."
            raise Invalid.field("platform", "platform_unknown", words)
        made = "" if secret or self.kind(platform).secret != "ours" else new_secret()
        row = SourceRow(
            account_id=account_id,
            id=SOURCE_PREFIX + new_id(now),
            platform=platform,
            name=name,
            hook_hash="",
            hook_sealed="",
            secret_sealed=self.sealed(secret or made),
            created_at=now,
            updated_at=now,
        )
        return self.with_address(row), made

    def with_address(self, row: SourceRow) -> SourceRow:
        """The source at another address; the former one leads nowhere."""
        hook = random_base62(HOOK_KEY_LENGTH)
        return replace(row, hook_hash=self._box.pepper_hash(hook), hook_sealed=self._box.seal(hook))

    def sealed(self, secret: str) -> str:
        return self._box.seal(secret) if secret else ""

    async def add(self, tx: Tx, row: SourceRow) -> None:
        if len(await self.every(tx, row.account_id)) >= MAX_SOURCES:
            raise Conflict(f"An account has at most {MAX_SOURCES} shops and forms.", code="sources_full")
        await tx.run(store.INSERT, write(row))

    async def change(self, tx: Tx, row: SourceRow, now: int) -> SourceRow:
        after = replace(row, updated_at=max(now, row.updated_at + 1))
        values = write(after)
        which = {"b_account": row.account_id, "b_id": row.id}
        await tx.run(store.UPDATE, {**which, **{f"new_{name}": values[name] for name in store.CHANGING}})
        self._remembered.clear()
        return after

    async def remove(self, tx: Tx, row: SourceRow, now: int) -> None:
        """Its address leads nowhere from now on. What it delivered stays."""
        await tx.run(store.REMOVE, {"b_account": row.account_id, "b_id": row.id, "now": now})
        self._remembered.clear()

    # Opening.

    def secret(self, row: SourceRow) -> str:
        return self._box.open(row.secret_sealed) if row.secret_sealed else ""

    def hook_url(self, row: SourceRow) -> str:
        key = self._box.open(row.hook_sealed)
        below = f"form/{key}" if row.platform == FORM else f"store/{row.platform}/{key}"
        return f"{self._base_url}/hooks/{below}"


def new_secret() -> str:
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()


def unknown() -> NotFound:
    return NotFound(no_such("shop or form"), code="source_unknown")


async def reseal(db: Database, box: SecretBox) -> int:
    """Seal with the present key what the previous one sealed; how many secrets that were."""

    def fresh(row: SealedShop) -> dict[str, object]:
        hook = box.open(row["hook_sealed"])
        return {
            "b_account": row["account_id"],
            "b_id": row["id"],
            "b_old": row["hook_sealed"],
            "new_hash": box.pepper_hash(hook),
            "new_hook": box.seal(hook),
            "new_secret": again(box, row["secret_sealed"]),
        }

    return await seal_again(
        db, box, store.SEALED, store.SEAL_AGAIN, lambda row: (row["hook_sealed"], row["secret_sealed"]), fresh
    )
