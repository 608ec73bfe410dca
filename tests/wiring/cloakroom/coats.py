"""What is done with coats: hung, brushed, answered for, shown in an export, and forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from tablegram.accounts.keys.keys import Caller
from tablegram.crm import profiles
from tablegram.crm.own_data.erasing import Erased, PersonToErase, Reach
from tablegram.engine.rows import NamedBody, TakenBody
from tablegram.engine.timers import Bell
from tablegram.events.planning import Planner, Statement
from tablegram.flows.gateway.answering import Answered, Heard, Written
from tablegram.storage.database import Database, Row, Tx
from tablegram.values.clock import Clock
from tablegram.values.ids import new_id
from tests.wiring.cloakroom import store

HUNG = "cloakroom.coat_hung"


class Coats:
    def __init__(self, db: Database, clock: Clock, planner: Planner) -> None:
        self._db, self._clock, self._planner = db, clock, planner
        self.bell = Bell()
        self.hung = self.brushed = 0

    async def hang(self, caller: Caller, phone: str, colour: str) -> dict[str, Any]:
        caller.require("contacts:manage")
        await self._planner.refresh(caller.account_id)
        plan = await self._db.write(lambda tx: self.hang_in(tx, caller.account_id, new_id(), phone, colour))
        self._planner.planned(caller.account_id, plan)
        self.told()
        return {"phone": phone, "colour": colour}

    async def hang_in(self, tx: Tx, account_id: int, coat: str, phone: str, colour: str) -> list[Statement]:
        row = {"id": coat, "account_id": account_id, "phone": phone, "colour": colour}
        if not await tx.run(store.HANG, {**row, "hung_at": self._clock.now_ms()}):
            return []
        plan = self._planner.plan(account_id, HUNG, {"event": HUNG, "data": {"phone": phone, "colour": colour}}, phone)
        for query, params in plan:
            await tx.run(query, params)
        return plan

    def told(self) -> None:
        self.hung += 1
        self.bell.ring()

    async def every(self, caller: Caller) -> list[HeldCoat]:
        caller.require("contacts:read")
        return [_view(row) for row in await self._db.all(store.OF_ACCOUNT, {"b_account": caller.account_id})]

    async def brush_forever(self) -> None:
        while True:
            await self.bell.wait(60)
            self.brushed += await self._db.write(lambda tx: tx.run(store.BRUSH, {"now": self._clock.now_ms()}))

    async def figures(self) -> dict[str, float]:
        return {"coats_hung_total": self.hung}


@dataclass(frozen=True, slots=True)
class CloakroomServices:
    coats: Coats


class Deposits:
    """Handles inbox rows of the source `cloakroom:<account>`."""

    def __init__(self, coats: Coats) -> None:
        self._coats = coats

    def writers(self, row: NamedBody) -> frozenset[bytes]:
        return frozenset()

    def is_awaited(self, row: NamedBody) -> bool:
        return True

    async def prepare(self, rows: Sequence[TakenBody]) -> None:
        return None

    async def apply(self, tx: Tx, rows: Sequence[TakenBody]) -> None:
        for row in rows:
            body = msgspec.json.decode(bytes(row["body"]))
            await self._coats.hang_in(tx, row["account_id"], row["external_id"], body["phone"], body["colour"])

    def done(self, rows: Sequence[TakenBody]) -> None:
        for _ in rows:
            self._coats.told()


class CoatReach(Reach):
    name = "coats"

    async def finish(self, tx: Tx, person: PersonToErase, swept: Erased) -> Erased:
        which = [{"b_account": person.account_id, "b_phone": name} for name in person.names]
        return Erased(sum([await tx.run(store.FORGET, one) for one in which]))


class CoatAnswers:
    """Who asks for a coat is answered here, and by nobody else."""

    precedence = 10
    max_failures = 3

    def __init__(self) -> None:
        self.asked: list[str] = []
        self._hearing = self.heard = 0

    async def prepare(self, written: Sequence[Written]) -> None:
        return None

    async def answer(self, tx: Tx, heard: Heard) -> Answered | None:
        self._hearing += 1
        message = heard.written.message
        if message.text != "My coat, please":
            return None
        self.asked.append(message.sender_phone)
        return Answered()

    def committed(self) -> None:
        self.heard = self._hearing


class HeldCoat(msgspec.Struct, frozen=True):
    phone: str
    colour: str
    is_brushed: bool


async def coats_of(tx: Tx, account_id: int, contact_ids: list[str]) -> dict[str, list[HeldCoat]]:
    """For the export: the coats of each of these contacts."""
    held: dict[str, list[HeldCoat]] = {}
    for contact_id in contact_ids:
        for _, name in await profiles.aliases_of(tx, account_id, contact_id):
            rows = await tx.all(store.OF_PHONE, {"b_account": account_id, "b_phone": name})
            held.setdefault(contact_id, []).extend(_view(row) for row in rows)
    return held


def _view(row: Row) -> HeldCoat:
    return HeldCoat(phone=row["phone"], colour=row["colour"], is_brushed=row["brushed_at"] is not None)
