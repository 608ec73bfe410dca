"""Stands behind the calls about the installation where only the edge is looked at."""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.accounts.accounts import Plan
from tablegram.accounts.keys.keys import Caller
from tablegram.accounts.operating.first_owner import Invitee
from tablegram.accounts.operating.operating import plan_view
from tablegram.errors import NotFound
from tablegram.flows.gateway.sending import Answer, Call

_AT = "2026-01-01T00:00:00.000Z"
ACCOUNT = {
    "id": 1, "name": "Blue Door", "state": "active", "plan": "standard", "balance_usd": 12.5, "created_at": _AT,
}  # fmt: skip
_LINK = {"link": "http://127.0.0.1:8000/panel/link/x", "link_expires_at": _AT, "mailed": False}


class StubOperating:
    async def create(self, caller: Caller, name: str, plan: str, owner: Invitee | None, call: Call) -> Answer:
        return _opened(name, owner)

    async def invite_owner(self, caller: Caller, account_id: int, owner: Invitee, call: Call) -> Answer:
        _know(account_id)
        return _opened("Blue Door", owner)

    async def top_up(self, caller: Caller, account_id: int, usd: float, reference: str, call: Call) -> Answer:
        _know(account_id)
        told = {"account_id": account_id, "reference": reference, "amount_usd": usd, "balance_usd": 12.5 + usd}
        return Answer(200, msgspec.json.encode(told))

    async def suspend(self, caller: Caller, account_id: int, call: Call) -> Answer:
        _know(account_id)
        return Answer(200, msgspec.json.encode({**ACCOUNT, "state": "suspended"}))

    async def resume(self, caller: Caller, account_id: int, call: Call) -> Answer:
        _know(account_id)
        return Answer(200, msgspec.json.encode(ACCOUNT))

    async def make_plan(self, caller: Caller, plan: Plan, call: Call) -> Answer:
        return Answer(201, msgspec.json.encode(plan_view(plan)))


def _opened(name: str, owner: Invitee | None) -> Answer:
    told: dict[str, Any] = {**ACCOUNT, "name": name, "owner": None}
    if owner is not None:
        told["owner"] = {"email": owner.email, "name": owner.name, "role": "owner", **_LINK}
    return Answer(201, msgspec.json.encode(told))


def _know(account_id: int) -> None:
    if account_id != 1:
        raise NotFound(f"There is no account {account_id}.", code="account_not_found")
