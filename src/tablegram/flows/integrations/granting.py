"""Making and ending API keys on behalf of a caller: made once for each Idempotency-Key, although the answer holds a secret."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

import msgspec

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.key_format import Mode
from tablegram.accounts.keys.key_records import KeyRecord, NewKey
from tablegram.accounts.keys.keys import Caller, KeyRing, Wanted
from tablegram.engine.idempotency import Answer, Call, Idempotency
from tablegram.errors import ScopeMissing
from tablegram.storage.database import Tx


class Granting:
    def __init__(self, keys: KeyRing, idempotency: Idempotency, audit: Audit) -> None:
        self._audit = audit
        self._keys = keys
        self._idempotency = idempotency

    async def create(
        self, caller: Caller, call: Call, show: Callable[[NewKey], dict[str, Any]], **wanted: Unpack[Wanted]
    ) -> Answer:
        """Make a key for the caller's account; `show` says what the answer tells of it."""
        caller.require("keys:manage")
        wanted["granted_by"] = caller
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Answer:
            made = await self._keys.create_in(tx, caller.account_id, **wanted)
            told = {"name": made.record.name, "mode": made.record.mode, "scopes": list(made.record.scopes)}
            await acting.note(tx, "key.created", "key", made.record.id, told)
            return Answer(201, msgspec.json.encode(show(made)))

        # Who repeats the call after a lost answer gets the same key again; at rest it is as unreadable as any secret.
        return await self._idempotency.once(caller.account_id, call, work, seal=self._keys.box)

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

    async def page(self, caller: Caller, after: str, limit: int) -> list[KeyRecord]:
        """The keys that the caller may know of, oldest first."""
        caller.require("keys:manage")
        mode: Mode | None = "test" if caller.mode == "test" else None
        return await self._keys.list_keys(caller.account_id, after=after, limit=limit, mode=mode)

    async def revoke(self, caller: Caller, key_id: str) -> None:
        """End a key of the caller's account. A test key ends test keys only: it may not touch what is live."""
        caller.require("keys:manage")
        if caller.mode == "test" and (await self._keys.get(caller.account_id, key_id)).mode != "test":
            raise ScopeMissing("A test key can only revoke test keys.", code="test_key")
        ended = await self._keys.revoke(caller.account_id, key_id)
        await self._audit.note(caller, "key.revoked", "key", key_id, {"name": ended.name, "last4": ended.last4})
