"""A campaign moves from state to state, and what lies with its line moves along: all in the caller's transaction."""

from __future__ import annotations

from typing import Any

from tablegram.accounts.money import quota
from tablegram.campaigns.model import Campaign, Skipped, Stopped, read_campaign, reason_text
from tablegram.campaigns.states import ENDS, Event, State, next_state
from tablegram.campaigns.store import campaigns as store
from tablegram.campaigns.store import sends as send_store
from tablegram.errors import NotFound, no_such
from tablegram.events.planning import Planner
from tablegram.flows.files.attachments import release
from tablegram.messaging.store import messages
from tablegram.storage.database import Tx
from tablegram.values.clock import iso

# What becomes of messages is asked after the end as well, the first time so soon.
AFTERWARDS_MS = 5_000
# A start, a finish and a stop are told; a campaign that is paused, held or cancelled was so by people or by its plan.
TOLD: dict[State, str] = {
    "finished": "campaign.finished", "stopped": "campaign.stopped", "missed": "campaign.stopped",
}  # fmt: skip
_LEFT: dict[State, Skipped] = {"cancelled": "cancelled", "stopped": "stopped", "missed": "too_late"}


async def lock(tx: Tx, account_id: int, campaign_id: str) -> Campaign:
    row = await tx.first(store.LOCK, {"b_account": account_id, "b_id": campaign_id})
    if row is None:
        raise unknown()
    return read_campaign(row)


def unknown() -> NotFound:
    return NotFound(no_such("campaign"), code="campaign_unknown")


class Moving:
    """`prepaid`: messages are paid for in advance, and what is taken back is given back."""

    def __init__(self, planner: Planner, *, prepaid: bool) -> None:
        self._planner = planner
        self._prepaid = prepaid

    async def prepare(self, account_id: int) -> None:
        """Before the transaction."""
        await self._planner.refresh(account_id)

    def told(self, account_id: int) -> None:
        """After the commit."""
        self._planner.planned(account_id)

    async def move(
        self, tx: Tx, one: Campaign, event: Event, now: int, *,
        reason: Stopped = "", reason_arm: int | None = None, due_at: int | None = None, starts_at: int | None = None,
    ) -> Campaign:  # fmt: skip
        """Take it to where the event leads. What is over leaves nothing waiting."""
        state = next_state(one.state, event)
        is_over = state in ENDS
        if is_over and one.started_at is not None:
            due_at = now + AFTERWARDS_MS
        starts = one.starts_at if starts_at is None else starts_at
        started = now if state == "running" and one.started_at is None else one.started_at
        which = {"b_account": one.account_id, "b_id": one.id}
        fields: dict[str, Any] = {
            "new_state": state, "new_reason": reason_text(reason, reason_arm), "new_due": due_at, "new_starts": starts,
            "new_started": started, "new_ended": now if is_over else None, "now": now,
        }  # fmt: skip
        await tx.run(store.MOVE, {**which, "b_state": one.state, **fields})
        if state in ("paused", "held", "cancelled", "stopped"):
            await self.take_back(tx, one, now, "quiet_hours" if state == "held" else "")
        if state in _LEFT:
            campaign = {"b_account": one.account_id, "b_campaign": one.id}
            await tx.run(send_store.LEFT_OUT, {**campaign, "new_reason": _LEFT[state], "now": now})
        if is_over and one.plan.image_id:
            # Whoever has the message has the picture with it.
            await release(tx, one.account_id, one.plan.image_id, now)
        row = await tx.first(store.GET, which)
        assert row is not None
        moved = read_campaign(row)
        if started is not None and one.started_at is None:
            await self._tell(tx, moved, "campaign.started", now)
        if state in TOLD:
            await self._tell(tx, moved, TOLD[state], now)
        return moved

    async def take_back(self, tx: Tx, one: Campaign, now: int, reason: str = "") -> int:
        """What lies with the line and is not on its way waits again; how many."""
        campaign = {"b_account": one.account_id, "b_campaign": one.id}
        count = 0
        for row in await tx.all(send_store.WITH_LINE, campaign):
            count += await self.take_one_back(tx, one, row["contact_id"], row["message_key"], now, reason)
        return count

    async def take_one_back(
        self, tx: Tx, one: Campaign, contact_id: str, message_key: str, now: int, reason: str = ""
    ) -> bool:
        message = {"b_account": one.account_id, "b_id": message_key, "now": now}
        if not await tx.run(messages.CANCEL, message):
            return False
        if self._prepaid:
            await quota.refund(tx, one.account_id, message_key, now)
        which = {"b_account": one.account_id, "b_campaign": one.id, "b_contact": contact_id, "b_key": message_key}
        await tx.run(send_store.TAKEN_BACK, {**which, "new_reason": reason, "new_due": now, "now": now})
        return True

    async def _tell(self, tx: Tx, one: Campaign, kind: str, now: int) -> None:
        counts = await tx.all(send_store.COUNTS, {"b_account": one.account_id, "b_campaign": one.id})
        by_state: dict[str, int] = {}
        for row in counts:
            by_state[row["state"]] = by_state.get(row["state"], 0) + row["n"]
        body = {
            "event": kind,
            "data": {
                "campaign_id": one.id, "name": one.name, "state": one.state, "reason": one.reason,
                "contacts": by_state, "started_at": iso(one.started_at), "timestamp": now // 1_000,
            },
        }  # fmt: skip
        for query, params in self._planner.plan(one.account_id, kind, body, one.id):
            await tx.run(query, params)
