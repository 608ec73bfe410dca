"""Shops and forms, as people and programs connect them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Required, TypedDict

import msgspec

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict, Invalid, NotFound, Unauthorized, no_such
from tablegram.flows.stores.answers import SourcePage, SourceTest, SourceView
from tablegram.flows.stores.views import source_view
from tablegram.flows.wire import picked
from tablegram.messaging.instances import Instances
from tablegram.restaurant import venues
from tablegram.storage.database import Database, Tx
from tablegram.stores.model import SourceRow
from tablegram.stores.samples import sample
from tablegram.stores.sources import Sources, new_secret
from tablegram.values.clock import Clock
from tablegram.values.money import CURRENCY_WANTED, EXPONENTS
from tablegram.values.secrets import SecretBox

SCOPE = "stores:manage"
# A delivery with its headers, taken by the hook itself; the answer's status.
Take = Callable[[SourceRow, Mapping[str, str], bytes], Awaitable[int]]
_replace = msgspec.structs.replace


class SourceFields(TypedDict, total=False):
    """What may be changed of a shop or a form. `mapping` says where facts lie, by fact."""

    name: str
    secret: str | None
    country: str
    currency: str
    mapping: dict[str, str] | None
    instance_id: int | None
    venue_id: str | None
    active: bool


class NewSourceFields(SourceFields, total=False):
    platform: Required[str]


class SourceDesk:
    def __init__(
        self,
        db: Database,
        idempotency: Idempotency,
        clock: Clock,
        audit: Audit,
        sources: Sources,
        instances: Instances,
        box: SecretBox,
        take: Take,
    ) -> None:
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit
        self._sources = sources
        self._instances = instances
        self._box = box
        self._take = take

    @property
    def platforms(self) -> list[str]:
        """What can be connected here."""
        return list(self._sources.platforms)

    def facts(self, platform: str) -> tuple[str, ...]:
        """What people say the place of themselves; nothing where the platform says it."""
        return tuple(self._sources.mapped.get(platform, ()))

    async def page(self, caller: Caller) -> SourcePage:
        caller.require(SCOPE)
        kept = await self._db.snapshot(lambda tx: self._sources.every(tx, caller.account_id))
        return SourcePage(data=[self._view(one) for one in kept])

    async def get(self, caller: Caller, source_id: str) -> SourceView:
        caller.require(SCOPE)
        return self._view(await self._db.snapshot(lambda tx: self._sources.get(tx, caller.account_id, source_id)))

    async def venues(self, caller: Caller) -> list[tuple[str, str]]:
        """The venues that can cook orders of a source: id and name."""
        caller.require(SCOPE)
        found = await self._db.snapshot(lambda tx: venues.every(tx, caller.account_id))
        return [(one.id, one.name) for one in found]

    async def create(self, caller: Caller, fields: NewSourceFields, call: Call) -> Result[SourceView]:
        """Connect a shop or a form. Where the secret is ours to make, the answer shows it once."""
        caller.require(SCOPE)
        now = self._clock.now_ms()
        acting = self._audit.acting(caller)
        await self._check_line(caller, fields)

        async def work(tx: Tx) -> Result[SourceView]:
            row, secret = self._sources.draft(
                caller.account_id, fields["platform"], fields["name"], fields.get("secret") or "", now
            )
            row = self._with(row, fields)
            await _check_venue(tx, row)
            await self._sources.add(tx, row)
            await acting.note(tx, "store_source.added", "store_source", row.id, {"platform": row.platform})
            return Result(self._view(row, secret), 201)

        # The answer holds the address and the secret: at rest it is as unreadable as any of them.
        return await self._idempotency.once_for(SourceView, caller.account_id, call, work, self._box)

    async def change(self, caller: Caller, source_id: str, fields: SourceFields) -> SourceView:
        """Other words, another secret, another mapping; paused, or heard again."""
        caller.require(SCOPE)
        now = self._clock.now_ms()
        acting = self._audit.acting(caller)
        await self._check_line(caller, fields)

        async def work(tx: Tx) -> SourceRow:
            row = await self._sources.lock(tx, caller.account_id, source_id)
            after = self._with(row, fields)
            if "venue_id" in fields:
                await _check_venue(tx, after)
            if (secret := fields.get("secret")) is not None:
                after = _replace(after, secret_sealed=self._sources.sealed(secret.strip()))
            after = await self._sources.change(tx, after, now)
            await acting.note(tx, "store_source.changed", "store_source", row.id, {"fields": sorted(fields)})
            return after

        return self._view(await self._db.write(work))

    async def rotate(self, caller: Caller, source_id: str, call: Call) -> Result[SourceView]:
        """Another secret; where the address itself is the proof, another address. The former one is over at once."""
        caller.require(SCOPE)
        now = self._clock.now_ms()
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Result[SourceView]:
            row = await self._sources.lock(tx, caller.account_id, source_id)
            secret = ""
            if row.secret_sealed or self._sources.kind(row.platform).secret == "ours":
                secret = new_secret()
                row = _replace(row, secret_sealed=self._sources.sealed(secret))
            else:
                row = self._sources.with_address(row)
            row = await self._sources.change(tx, row, now)
            await acting.note(tx, "store_source.rotated", "store_source", row.id, {"platform": row.platform})
            return Result(self._view(row, secret))

        return await self._idempotency.once_for(SourceView, caller.account_id, call, work, self._box)

    async def remove(self, caller: Caller, source_id: str) -> None:
        """Take it away. What it delivered stays, and so do its orders."""
        caller.require(SCOPE)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> None:
            row = await self._sources.lock(tx, caller.account_id, source_id)
            await self._sources.remove(tx, row, self._clock.now_ms())
            await acting.note(tx, "store_source.removed", "store_source", row.id, {"platform": row.platform})

        await self._db.write(work)

    async def test(self, caller: Caller, source_id: str, phone: str, call: Call) -> Result[SourceTest]:
        """Send a sample of the platform through the real hook, about somebody with this number."""
        caller.require(SCOPE)
        row = await self._db.snapshot(lambda tx: self._sources.get(tx, caller.account_id, source_id))
        if not row.is_active:
            raise Conflict("It is paused. Switch it on first.", code="source_paused")

        async def effect() -> Result[SourceTest]:
            made = sample(row.platform, self._sources.secret(row), phone, row.setup, self._clock.now_ms())
            try:
                status = await self._take(row, made.headers, made.body)
            except Unauthorized:
                words = "It has no secret yet, or one that proves nothing. Enter the one that the platform shows."
                raise Conflict(words, code="secret_missing") from None
            return Result(SourceTest(status=status, delivery_name=made.number))

        return await self._idempotency.after_for(SourceTest, caller.account_id, call, effect)

    def _with(self, row: SourceRow, fields: SourceFields) -> SourceRow:
        values = picked(fields, "name", "country", "currency", "instance_id", "venue_id")
        if values.get("currency") and values["currency"] not in EXPONENTS:
            raise Invalid.field("currency", "currency_unknown", CURRENCY_WANTED)
        if values.get("venue_id") and not self._sources.kind(row.platform).is_cooked:
            words = "Only orders that are cooked here have a venue. Leave it out."
            raise Invalid.field("venue_id", "venue_unused", words)
        if (mapping := fields.get("mapping")) is not None:
            if row.platform not in self._sources.mapped:
                words = "This platform says itself where everything is. Leave the mapping out."
                raise Invalid.field("mapping", "mapping_unused", words)
            values["mapping"] = {fact: place.strip() for fact, place in mapping.items() if place.strip()}
        if "active" in fields:
            values["is_active"] = fields["active"]
        return _replace(row, **values)

    async def _check_line(self, caller: Caller, fields: SourceFields) -> None:
        if (instance_id := fields.get("instance_id")) is None:
            return
        try:
            await self._instances.get(caller.account_id, instance_id)
        except NotFound:
            raise Invalid.field("instance_id", "instance_unknown", no_such("line")) from None

    def _view(self, row: SourceRow, secret: str = "") -> SourceView:
        return source_view(row, self._sources.hook_url(row), secret)


async def _check_venue(tx: Tx, row: SourceRow) -> None:
    if not row.venue_id:
        return
    try:
        await venues.find(tx, row.account_id, row.venue_id)
    except NotFound:
        raise Invalid.field("venue_id", "venue_unknown", no_such("venue")) from None
