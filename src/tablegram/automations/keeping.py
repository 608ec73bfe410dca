"""Automations as rows: found, begun, and moved on, each inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from tablegram.automations.model import (
    SWEPT,
    Automation,
    Definition,
    Ended,
    On,
    Run,
    Visit,
    read_automation,
    read_definition,
    read_run,
    write_definition,
)
from tablegram.automations.store import automations as store
from tablegram.automations.store import runs as run_store
from tablegram.errors import NotFound, no_such
from tablegram.storage.database import Tx
from tablegram.values.ids import new_id


def unknown() -> NotFound:
    return NotFound(no_such("automation"), code="automation_unknown")


async def find(tx: Tx, account_id: int, automation_id: str) -> Automation:
    row = await tx.first(store.GET, {"b_account": account_id, "b_id": automation_id})
    if row is None:
        raise unknown()
    return read_automation(row)


async def lock(tx: Tx, account_id: int, automation_id: str) -> Automation:
    row = await tx.first(store.LOCK, {"b_account": account_id, "b_id": automation_id})
    if row is None:
        raise unknown()
    return read_automation(row)


async def definition(tx: Tx, one: Automation | Run, version: int | None = None) -> Definition:
    """The newest of an automation, or that of a run."""
    automation_id = one.id if isinstance(one, Automation) else one.automation_id
    which = {"b_account": one.account_id, "b_automation": automation_id, "b_version": version or one.version}
    row = await tx.first(store.VERSION, which)
    assert row is not None
    return read_definition(row["definition"])


async def keep_version(tx: Tx, one: Automation, definition: Definition, by: str, now: int) -> None:
    row = {
        "account_id": one.account_id, "automation_id": one.id, "version": one.version,
        "definition": write_definition(definition), "created_by": by, "created_at": now,
    }  # fmt: skip
    await tx.run(store.KEEP_VERSION, row)


def sweep_at(kind: On, now: int) -> int | None:
    """When contacts are looked through for one that is turned on now."""
    return now if kind in SWEPT else None


async def that_are_on(tx: Tx, account_id: int, kind: On) -> list[tuple[Automation, Definition]]:
    rows = await tx.all(store.ON, {"b_account": account_id, "b_trigger": kind})
    return [(read_automation(row), read_definition(row["definition"])) for row in rows]


async def begin(
    tx: Tx, one: Automation, contacts: Iterable[tuple[str, str, int]], now: int, *, venue_id: str = "",
    order_id: str = "",
) -> None:  # fmt: skip
    """Runs for contacts, each with its occasion and when its first step is due. A known occasion begins nothing."""
    rows = [
        msgspec.structs.asdict(
            Run(
                account_id=one.account_id, id=new_id(now), automation_id=one.id, version=one.version,
                contact_id=contact_id, occasion=occasion, due_at=due_at, venue_id=venue_id, order_id=order_id,
                started_at=now,
            )
        )
        for contact_id, occasion, due_at in contacts
    ]  # fmt: skip
    if rows:
        await tx.many(run_store.BEGIN, rows)


async def lock_run(tx: Tx, account_id: int, run_id: str) -> Run | None:
    row = await tx.first(run_store.LOCK, {"b_account": account_id, "b_id": run_id})
    return None if row is None else read_run(row)


def _at(run: Run) -> dict[str, Any]:
    return {"b_account": run.account_id, "b_id": run.id, "b_step": run.step}


async def note(tx: Tx, run: Run, visit: Visit, now: int) -> bool:
    """That a step was made; whether it was not made before."""
    row = {
        "account_id": run.account_id, "run_id": run.id, "step": run.step, "automation_id": run.automation_id,
        "version": run.version, "contact_id": run.contact_id, **msgspec.structs.asdict(visit),
        "is_marketing": int(visit.is_marketing), "at": now,
    }  # fmt: skip
    return await tx.first(run_store.VISIT, row) is not None


async def go_on(tx: Tx, run: Run, step: int, due_at: int, *, code: str | None = None) -> None:
    new = {"new_step": step, "new_due": due_at, "new_code": run.coupon_code if code is None else code}
    await tx.run(run_store.GO_ON, {**_at(run), **new})


async def put_off(tx: Tx, run: Run, due_at: int) -> None:
    await tx.run(run_store.LATER, {**_at(run), "new_due": due_at})


async def end(tx: Tx, run: Run, now: int, reason: Ended = "") -> None:
    """It is over: it made all of its steps, left at a condition, or cannot go on."""
    state = "finished" if reason in ("", "condition") else "stopped"
    await tx.run(run_store.END, {**_at(run), "new_state": state, "new_reason": reason, "now": now})
