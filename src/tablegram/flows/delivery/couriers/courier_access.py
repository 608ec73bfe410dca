"""The link and the PIN to a courier's own page: handed out, made anew and taken away."""

from __future__ import annotations

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.delivery.couriers import access, keeping
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict
from tablegram.flows.delivery.couriers.answers import CourierLink
from tablegram.flows.restaurant.desks.desk import CHANGE
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock
from tablegram.values.secrets import SecretBox


class CourierAccess:
    def __init__(
        self, db: Database, box: SecretBox, idempotency: Idempotency, clock: Clock, audit: Audit, base_url: str
    ) -> None:
        self._db, self._box, self._idempotency, self._clock = db, box, idempotency, clock
        self._audit, self._base_url = audit, base_url

    async def link(self, caller: Caller, courier_id: str) -> CourierLink:
        """The link as it is; the PIN was told when it was made."""
        caller.require(CHANGE)
        courier = await self._db.snapshot(lambda tx: keeping.get(tx, caller.account_id, courier_id))
        return self._link(courier.id, access.key_of(self._box, courier), "")

    async def grant(self, caller: Caller, courier_id: str, call: Call, *, new_link: bool) -> Result[CourierLink]:
        """A new PIN, with a link where there is none or another one is wanted; whoever had the page open enters anew."""
        caller.require(CHANGE)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Result[CourierLink]:
            courier = await keeping.lock(tx, caller.account_id, courier_id)
            if not courier.active:
                raise Conflict(f"{courier.name} gets no orders. Make them active first.", code="courier_inactive")
            given = await access.grant(tx, self._box, courier, new_link=new_link)
            facts = {"name": courier.name, "new_link": new_link or courier.key_hash is None}
            await acting.note(tx, "courier.page_given", "courier", courier.id, facts)
            return Result(self._link(courier.id, given.key, given.pin))

        return await self._idempotency.once_for(CourierLink, caller.account_id, call, work, seal=self._box)

    async def revoke(self, caller: Caller, courier_id: str) -> None:
        """The link leads nowhere from now on; without one nothing changes."""
        caller.require(CHANGE)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> None:
            courier = await keeping.lock(tx, caller.account_id, courier_id)
            if courier.key_hash is None:
                return
            await access.revoke(tx, courier)
            await acting.note(tx, "courier.page_revoked", "courier", courier.id, {"name": courier.name})

        await self._db.write(work)

    def _link(self, courier_id: str, key: str, pin: str) -> CourierLink:
        return CourierLink(courier_id=courier_id, url=f"{self._base_url}/courier/{key}" if key else "", pin=pin)
