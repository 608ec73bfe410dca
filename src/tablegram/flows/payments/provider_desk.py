"""Payment providers, as people and programs connect them."""

from __future__ import annotations

from typing import cast

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Invalid
from tablegram.flows.payments.answers import ProviderCheck, ProviderKeyView, ProviderName, ProviderPage, ProviderView
from tablegram.flows.payments.fields import ProviderFields
from tablegram.payments.accesses import Accesses
from tablegram.payments.caretaking import Caretaker
from tablegram.payments.kinds import KINDS, mode_of
from tablegram.payments.model import ProviderRow
from tablegram.payments.ports import Mode, ProviderDown, ProviderRefused
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock, iso
from tablegram.values.secrets import SecretBox

SCOPE = "payments:manage"
# Who takes money at the table may not change where it goes: people need this besides.
CONNECTS = "instances:manage"


class ProviderDesk:
    def __init__(
        self,
        db: Database,
        idempotency: Idempotency,
        clock: Clock,
        audit: Audit,
        accesses: Accesses,
        caretaker: Caretaker,
        box: SecretBox,
    ) -> None:
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit
        self._accesses = accesses
        self._caretaker = caretaker
        self._box = box

    @property
    def kinds(self) -> list[str]:
        """What can be connected here."""
        return list(self._accesses.kinds)

    async def page(self, caller: Caller) -> ProviderPage:
        caller.require(SCOPE)
        kept = await self._db.snapshot(lambda tx: self._accesses.every(tx, caller.account_id))
        return ProviderPage(data=[self._view(caller, one) for one in kept])

    async def get(self, caller: Caller, provider_id: str) -> ProviderView:
        caller.require(SCOPE)
        kept = await self._db.snapshot(lambda tx: self._accesses.get(tx, caller.account_id, provider_id))
        return self._view(caller, kept)

    async def create(self, caller: Caller, fields: ProviderFields, call: Call) -> Result[ProviderView]:
        """Connect a provider. Its keys are sealed, and of the mode that they say."""
        require_connecting(caller)
        now = self._clock.now_ms()
        acting = self._audit.acting(caller)
        provider, keys = str(fields["provider"]), dict(fields.get("keys") or {})
        mode = _mode(provider, keys, fields.get("mode"))

        async def work(tx: Tx) -> Result[ProviderView]:
            kept = await self._accesses.add(tx, self._accesses.draft(caller.account_id, provider, mode, keys, now), now)
            if fields.get("is_default"):
                await self._accesses.make_default(tx, kept, now)
            detail = {"provider": provider, "mode": mode}
            await acting.note(tx, "payment_provider.added", "payment_provider", kept.id, detail)
            return Result(self._view(caller, await self._accesses.get(tx, caller.account_id, kept.id)), 201)

        # The answer holds the key of its hook: at rest it is as unreadable as any secret.
        return await self._idempotency.once_for(ProviderView, caller.account_id, call, work, self._box)

    async def change(self, caller: Caller, provider_id: str, fields: ProviderFields) -> ProviderView:
        """Other keys, or make it the usual one. The mode never changes: test and live are two accesses."""
        require_connecting(caller)
        now = self._clock.now_ms()
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> ProviderRow:
            kept = await self._accesses.lock(tx, caller.account_id, provider_id)
            if fields.get("keys"):
                kept = await self._accesses.change(
                    tx, self._accesses.with_keys(kept, kept.mode, dict(fields["keys"])), now
                )
            if fields.get("is_default"):
                await self._accesses.make_default(tx, kept, now)
            # Which keys, never what they are.
            detail = {"provider": kept.provider, "fields": sorted([*(fields.get("keys") or {})])}
            await acting.note(tx, "payment_provider.changed", "payment_provider", kept.id, detail)
            return await self._accesses.get(tx, caller.account_id, provider_id)

        return self._view(caller, await self._db.write(work))

    async def remove(self, caller: Caller, provider_id: str) -> None:
        """Take it away. What was paid with it stays, and can be given back."""
        require_connecting(caller)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> None:
            kept = await self._accesses.lock(tx, caller.account_id, provider_id)
            await self._accesses.remove(tx, kept, self._clock.now_ms())
            detail = {"provider": kept.provider, "mode": kept.mode}
            await acting.note(tx, "payment_provider.removed", "payment_provider", kept.id, detail)

        await self._db.write(work)

    async def check(self, caller: Caller, provider_id: str, call: Call) -> Result[ProviderCheck]:
        """Ask the provider whether the keys open the door."""
        caller.require(SCOPE)
        await self.get(caller, provider_id)

        async def effect() -> Result[ProviderCheck]:
            return Result(await self._try(caller.account_id, provider_id))

        return await self._idempotency.after_for(ProviderCheck, caller.account_id, call, effect)

    async def _try(self, account_id: int, provider_id: str) -> ProviderCheck:
        try:
            await self._caretaker.check(account_id, provider_id)
        except ProviderRefused as refused:
            return ProviderCheck(ok=False, code=refused.code, detail=refused.detail)
        except ProviderDown:
            return ProviderCheck(
                ok=False, code="provider_down", detail="The provider does not answer. Try again later."
            )
        return ProviderCheck(ok=True, code="", detail="The keys work.")

    def _view(self, caller: Caller, kept: ProviderRow) -> ProviderView:
        keys = self._accesses.keys(kept)
        return ProviderView(
            id=kept.id,
            provider=cast(ProviderName, kept.provider),
            mode=kept.mode,
            is_default=kept.is_default,
            hook_url=self._accesses.hook_url(kept) if _may_connect(caller) else "",
            keys=[
                ProviderKeyView(
                    name=field.name,
                    is_secret=field.secret,
                    is_set=bool(keys.get(field.name)),
                    value="" if field.secret else keys.get(field.name, ""),
                )
                for field in KINDS[kept.provider].fields
            ],
            checked_at=iso(kept.checked_at),
            heard_at=iso(kept.heard_at),
            created_at=iso(kept.created_at),
            updated_at=iso(kept.updated_at),
        )


def _may_connect(caller: Caller) -> bool:
    return not caller.is_person or caller.has(CONNECTS)


def require_connecting(caller: Caller) -> None:
    caller.require(SCOPE)
    if not _may_connect(caller):
        caller.require(CONNECTS)


def _mode(provider: str, keys: dict[str, str], said: Mode | None) -> Mode:
    """As it is said, or as the keys tell. They must agree, which is checked with the keys."""
    if said is not None or provider not in KINDS:
        return said or "test"
    told = mode_of(provider, keys)
    if told is None and not KINDS[provider].tells_mode:
        raise Invalid.field("mode", "mode_missing", "Say whether this is for test or for live payments.")
    return told or "test"
