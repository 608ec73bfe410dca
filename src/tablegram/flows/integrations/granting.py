"""Making and ending API keys on behalf of a caller: made once for each Idempotency-Key, although the answer holds a secret."""

from __future__ import annotations

from typing import Unpack

from msgspec.structs import asdict

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.key_format import Mode
from tablegram.accounts.keys.key_records import KeyRecord
from tablegram.accounts.keys.keys import Caller, KeyRing, WantedKey
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import ScopeMissing
from tablegram.flows.integrations.answers import KeyPage, KeyView, NewKeyView
from tablegram.storage.database import Tx
from tablegram.values.clock import iso
from tablegram.values.cursor import decode_cursor, encode_cursor


class Granting:
    def __init__(self, keys: KeyRing, idempotency: Idempotency, audit: Audit) -> None:
        self._audit = audit
        self._keys = keys
        self._idempotency = idempotency

    async def create(self, caller: Caller, call: Call, **wanted: Unpack[WantedKey]) -> Result[NewKeyView]:
        """Make a key for the caller's account."""
        caller.require("keys:manage")
        wanted["granted_by"] = caller
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Result[NewKeyView]:
            made = await self._keys.create_in(tx, caller.account_id, **wanted)
            told = {"name": made.record.name, "mode": made.record.mode, "scopes": list(made.record.scopes)}
            await acting.note(tx, "key.created", "key", made.record.id, told)
            return Result(NewKeyView(**asdict(_view(made.record)), key=made.token), 201)

        # Who repeats the call after a lost answer gets the same key again; at rest it is as unreadable as any secret.
        return await self._idempotency.once_for(NewKeyView, caller.account_id, call, work, seal=self._keys.box)

    async def keys(self, caller: Caller) -> list[KeyRecord]:
        """Every key of the caller's account, the newest first, those that have ended included."""
        caller.require("keys:manage")
        found: list[KeyRecord] = []
        while page := await self._keys.list_keys(caller.account_id, after=found[-1].id if found else ""):
            found += page
        return found[::-1]

    async def key(self, caller: Caller, key_id: str) -> KeyRecord:
        caller.require("keys:manage")
        return await self._keys.get(caller.account_id, key_id)

    async def page(self, caller: Caller, limit: int, cursor: str | None) -> KeyPage:
        """The keys that the caller may know of, oldest first."""
        caller.require("keys:manage")
        after = "" if cursor is None else decode_cursor(cursor)
        mode: Mode | None = "test" if caller.mode == "test" else None
        found = await self._keys.list_keys(caller.account_id, after=after, limit=limit + 1, mode=mode)
        return KeyPage(
            data=[_view(record) for record in found[:limit]],
            next_cursor=encode_cursor(found[limit - 1].id) if len(found) > limit else None,
        )

    async def revoke(self, caller: Caller, key_id: str) -> None:
        """End a key of the caller's account. A test key ends test keys only: it may not touch what is live."""
        caller.require("keys:manage")
        if caller.mode == "test" and (await self._keys.get(caller.account_id, key_id)).mode != "test":
            raise ScopeMissing("A test key can only revoke test keys.", code="test_key")
        ended = await self._keys.revoke(caller.account_id, key_id)
        await self._audit.note(caller, "key.revoked", "key", key_id, {"name": ended.name, "last4": ended.last4})


def _view(record: KeyRecord) -> KeyView:
    return KeyView(
        id=record.id,
        name=record.name,
        mode=record.mode,
        last4=record.last4,
        scopes=list(record.scopes),
        created_at=iso(record.created_at),
        expires_at=iso(record.expires_at),
        revoked_at=iso(record.revoked_at),
        last_used_at=iso(record.last_used_at),
    )
