"""Photos that were given before lists showed them so small: their smallest size is drawn by the engine, one after another."""

from __future__ import annotations

import functools
import logging
from collections.abc import AsyncIterator

from tablegram.engine.drains import Depth, Drain, Piecework, guarded
from tablegram.engine.leases import Leases
from tablegram.errors import Invalid, TooMany, Unavailable
from tablegram.restaurant.pictures.model import SHRINK
from tablegram.restaurant.rows.menus import PictureName
from tablegram.restaurant.store import pictures as store
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock
from tablegram.workshop.ports import Workshop

log = logging.getLogger("tablegram.pictures")

# There are some after an upgrade, and after the restore of an old backup. Until then lists show a larger one.
LOOK_EVERY_S = 300.0
# Photos of guests and menus that are given meanwhile go first.
BETWEEN_S = 0.2
LOOK_FOR = 100


class Shrinking(Piecework):
    every_s = LOOK_EVERY_S
    between_s = BETWEEN_S

    def __init__(self, db: Database, clock: Clock, leases: Leases, workshop: Workshop) -> None:
        super().__init__()
        self._db = db
        self._workshop = workshop
        self.drain = Drain("photo sizes", self, leases, depth=Depth(db, clock, store.WITHOUT_TINY_COUNTED))

    async def pieces(self) -> AsyncIterator[None]:
        while rows := await self._db.all(store.WITHOUT_TINY, {"most": LOOK_FOR}):
            for row in rows:
                try:
                    await self._shrink(row)
                except (TooMany, Unavailable):
                    # Others need the workshop now.
                    return
                yield

    async def _shrink(self, row: PictureName) -> None:
        which = {"b_account": row["account_id"], "b_venue": row["venue_id"], "b_id": row["id"]}
        found = await self._db.first(store.SIZES, which)
        if found is None:
            return
        try:
            tiny = await self._workshop.do(row["account_id"], SHRINK, bytes(found["large"]))
        except Invalid as refusal:
            # Nobody will ever draw it any smaller; it is shown as it is, and not tried again.
            log.warning("photo %s stays as it is: %s", row["id"], refusal.detail)
            tiny = bytes(found["small"])
        await self._db.write(guarded(self.lease, functools.partial(_keep, which=which, tiny=tiny)))


async def _keep(tx: Tx, which: dict[str, object], tiny: bytes) -> None:
    await tx.run(store.KEEP_TINY, {**which, "new_tiny": tiny})
