"""Addresses of contacts as people and programs manage them."""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.crm.merging import living_id
from tablegram.crm.own_data.erasing import Erased, PersonToErase, Reach
from tablegram.crm.own_data.exports import Holding
from tablegram.delivery.addresses import keeping
from tablegram.delivery.addresses.keeping import Address
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.engine.kept_answers import KeptAnswers
from tablegram.flows.delivery.answers import AddressView
from tablegram.flows.delivery.fields import AddressFields
from tablegram.flows.delivery.points import degrees_of, read_point
from tablegram.flows.wire import picked
from tablegram.restaurant.lines import tidy
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock, iso
from tablegram.values.coordinates import route_to
from tablegram.values.ids import new_id

READ, MANAGE = "contacts:read", "contacts:manage"


class AddressDesk:
    def __init__(self, db: Database, idempotency: Idempotency, clock: Clock, audit: Audit) -> None:
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._audit = audit

    async def addresses(self, caller: Caller, contact_id: str) -> list[AddressView]:
        """The last used first."""
        caller.require(READ)

        async def look(tx: Tx) -> list[AddressView]:
            found = await keeping.every(tx, caller.account_id, await living_id(tx, caller.account_id, contact_id))
            return [address_view(one) for one in found]

        return await self._db.snapshot(look)

    async def add(self, caller: Caller, contact_id: str, fields: AddressFields, call: Call) -> Result[AddressView]:
        """`address` in words, its coordinate, or both; and a `label`."""
        caller.require(MANAGE)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Result[AddressView]:
            now = self._clock.now_ms()
            living = await living_id(tx, caller.account_id, contact_id)
            blank = Address(
                account_id=caller.account_id, id=new_id(now), contact_id=living, created_at=now, updated_at=now,
                used_at=now,
            )  # fmt: skip
            made = await keeping.add(tx, _filled(blank, fields))
            await acting.note(tx, "contact.address_added", "contact", living)
            return Result(address_view(made), 201)

        return await self._idempotency.once_for(AddressView, caller.account_id, call, work)

    async def change(self, caller: Caller, contact_id: str, address_id: str, fields: AddressFields) -> AddressView:
        """Change what is given and leave the rest; other words without a coordinate are another place."""
        caller.require(MANAGE)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> AddressView:
            living = await living_id(tx, caller.account_id, contact_id)
            old = await keeping.find(tx, caller.account_id, living, address_id)
            changed = msgspec.structs.replace(_filled(old, fields), updated_at=self._clock.now_ms())
            kept = await keeping.update(tx, changed)
            await acting.note(tx, "contact.address_changed", "contact", living)
            return address_view(kept)

        return await self._db.write(work)

    async def remove(self, caller: Caller, contact_id: str, address_id: str) -> None:
        caller.require(MANAGE)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> None:
            living = await living_id(tx, caller.account_id, contact_id)
            await keeping.remove(tx, caller.account_id, living, address_id)
            await acting.note(tx, "contact.address_removed", "contact", living)

        await self._db.write(work)


def _filled(old: Address, fields: AddressFields) -> Address:
    changes: dict[str, Any] = {name: tidy(str(text or "")) for name, text in picked(fields, "label", "address").items()}
    names_place = "latitude" in fields or "longitude" in fields
    moves = changes.get("address", old.address) != old.address
    if names_place or moves:
        point = read_point(fields.get("latitude"), fields.get("longitude")) if names_place else None
        changes["latitude"] = None if point is None else point.latitude
        changes["longitude"] = None if point is None else point.longitude
    return msgspec.structs.replace(old, **changes)


def address_view(one: Address) -> AddressView:
    latitude, longitude = degrees_of(one.point)
    return AddressView(
        id=one.id,
        contact_id=one.contact_id,
        label=one.label,
        address=one.address,
        latitude=latitude,
        longitude=longitude,
        route_url="" if one.point is None else route_to(one.point),
        used_at=iso(one.used_at),
        created_at=iso(one.created_at),
        updated_at=iso(one.updated_at),
    )


async def _held(tx: Tx, account_id: int, contact_ids: list[str]) -> dict[str, list[AddressView]]:
    found = await keeping.of_all(tx, account_id, contact_ids)
    return {contact_id: [address_view(one) for one in known] for contact_id, known in found.items()}


HOLDING = Holding("addresses", _held, {"addresses": len})

# Idempotent answers hold addresses in full.
_ANSWERS = KeptAnswers(["POST /contacts/{contact_id:str}/addresses"])


class AddressReach(Reach):
    """Where somebody lives goes with them."""

    name = "addresses"

    async def finish(self, tx: Tx, person: PersonToErase, swept: Erased) -> Erased:
        await _ANSWERS.forget(tx, person.account_id, person.known_as)
        return Erased(await keeping.forget(tx, person.account_id, person.ids))
