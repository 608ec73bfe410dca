"""Which bus an installation has: the one its settings name, else the database's own, else none."""

from __future__ import annotations

from sqlalchemy import select

from tablegram.engine.bus.carried import CarriedBus
from tablegram.engine.bus.nats import NatsCarrier
from tablegram.engine.bus.port import Alone, Bus
from tablegram.engine.rows import FactRow
from tablegram.settings import Settings
from tablegram.storage.database import Database, Query, Tx
from tablegram.storage.query import columns
from tablegram.storage.tables import installation
from tablegram.values.ids import new_id

# By this name the servers of one database know each other on a bus that others use too. It is no secret.
_FACT = "bus_name"
_NAMED = Query(select(installation.c.value).where(installation.c.name == _FACT), row=FactRow)
_NAME = Query(
    lambda insert: insert(installation).values(columns(installation)).on_conflict_do_nothing(index_elements=["name"])
)


def choose_bus(settings: Settings, db: Database) -> Bus:
    connect = db.connect_listener
    if connect is None:
        return Alone()
    if settings.nats_url:
        return CarriedBus(NatsCarrier(settings.nats_url, lambda: subject_of(db)))
    from tablegram.engine.bus.postgres import PostgresCarrier

    return CarriedBus(PostgresCarrier(connect))


async def subject_of(db: Database) -> str:
    """What the processes of this database speak on; made by the first of them."""

    async def name(tx: Tx) -> str:
        await tx.run(_NAME, {"name": _FACT, "value": new_id().lower()})
        row = await tx.first(_NAMED, {})
        assert row is not None
        return row["value"]

    known = await db.first(_NAMED)
    return f"tablegram.{await db.write(name) if known is None else known['value']}.words"
