"""Two automations of the demo: guests were asked how it was and answered, and a welcome waits to be turned on."""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.automations import checking, keeping, presets
from tablegram.automations.fields import AutomationFields, Preset
from tablegram.automations.model import Automation, Definition, Language, Run, Visit
from tablegram.automations.store import automations as automation_store
from tablegram.automations.store import ratings as rating_store
from tablegram.automations.store import runs as run_store
from tablegram.demo import store
from tablegram.demo.stage import Stage
from tablegram.storage.database import Tx
from tablegram.values.clock import DAY_MS, HOUR_MS
from tablegram.values.ids import new_id

# What each of them said, and what they wrote then.
_SAID = ((5, "Her şey harikaydı, elinize sağlık."), (4, ""), (2, "Sipariş geç geldi, soğumuştu."), (5, ""))


async def fill(stage: Stage) -> None:
    account_id, now = stage.account_id, stage.clock.now_ms()

    async def work(tx: Tx) -> None:
        known = await tx.all(automation_store.COUNT, {"b_account": account_id})
        if not stage.filled or known:
            return
        asking, definition = await _make(tx, account_id, "feedback", "tr", now - 6 * DAY_MS, is_on=True)
        await _make(tx, account_id, "welcome", "en", now - DAY_MS, is_on=False)
        guests = await tx.all(store.GUESTS, {"account_id": account_id})
        for place, (row, said) in enumerate(zip(guests, _SAID, strict=False)):
            await _ask(tx, asking, len(definition.steps), row["id"], said, now - (5 - place) * DAY_MS)

    await stage.db.write(work)


async def _make(
    tx: Tx, account_id: int, preset: Preset, language: Language, at: int, *, is_on: bool
) -> tuple[Automation, Definition]:
    ready = presets.fields_of(preset, language)
    fields: AutomationFields = {**ready, "time_zone": "Europe/Istanbul", "language": language}
    definition = checking.parse(fields)
    one = Automation(
        account_id=account_id, id=new_id(at), name=fields["name"], state="on" if is_on else "draft",
        trigger_kind=definition.trigger.on, version=1, instance_id=None, on_since=at if is_on else None, sweep_at=None,
        created_by="demo", created_at=at, updated_at=at,
    )  # fmt: skip
    await tx.run(automation_store.INSERT, msgspec.structs.asdict(one))
    await keeping.keep_version(tx, one, definition, "demo", at)
    return one, definition


async def _ask(tx: Tx, one: Automation, steps: int, contact_id: str, said: tuple[int, str], at: int) -> None:
    """Somebody was asked and has answered."""
    run = Run(
        account_id=one.account_id, id=new_id(at), automation_id=one.id, version=1, contact_id=contact_id,
        occasion=f"demo:{at}", state="finished", step=steps - 1, due_at=None, started_at=at - HOUR_MS, ended_at=at,
    )  # fmt: skip
    await tx.run(run_store.BEGIN, msgspec.structs.asdict(run))
    for step, visit in enumerate((Visit(kind="wait"), Visit(kind="feedback", state="sent"))):
        await keeping.note(tx, msgspec.structs.replace(run, step=step), visit, at)
    row: dict[str, Any] = {
        "account_id": one.account_id, "run_id": run.id, "automation_id": one.id, "version": 1, "step": steps - 1,
        "contact_id": contact_id, "venue_id": "", "order_id": "", "rating": said[0], "comment": said[1],
        "is_open": int(said[0] <= 2), "closed_by": "", "closed_at": None, "asked_at": at, "answered_at": at + HOUR_MS // 4,
    }  # fmt: skip
    await tx.run(rating_store.ASK, row)
