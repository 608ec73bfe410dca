"""Accounts and the plans they are on."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.accounts import store
from tablegram.accounts.naming import clean_name
from tablegram.accounts.rows import AccountRow, PlanRow
from tablegram.accounts.rows import State as State
from tablegram.errors import Conflict, Invalid, NotFound
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock

STANDARD_PLAN = "standard"
STANDARD_FREE_MESSAGES = 250
STANDARD_FREE_HOURS = 72

# More than this is no limit any more, and the figure is kept in thousandths.
MAX_RATE = 1_000_000.0
MAX_BURST = 1_000_000


@dataclass(frozen=True, slots=True)
class Account:
    id: int
    name: str
    state: State
    plan: str
    balance_micros: int
    quota_started_at: int | None
    quota_used: int
    # Requests per second and burst of its keys; empty means the installation's figures.
    rate_limit: float | None
    rate_burst: int | None
    created_at: int


@dataclass(frozen=True, slots=True)
class Plan:
    """The free quota that new customers get: so many messages within so many hours of the first send."""

    name: str
    free_messages: int
    free_hours: int


class Accounts:
    """The accounts of the installation. Changes act in every process within seconds (see `KeyRing`)."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    async def create(self, name: str, plan: str = STANDARD_PLAN) -> Account:
        shown = clean_name(name, "name")
        return await self._db.write(lambda tx: self.create_in(tx, shown, plan))

    async def create_in(self, tx: Tx, name: str, plan: str) -> Account:
        """The same inside a transaction of the caller's; the name is clean already."""
        if plan == STANDARD_PLAN:
            await _ensure_standard_plan(tx)
        else:
            await need_plan(tx, plan)
        params = {"name": name, "state": "active", "plan": plan, "created_at": self._clock.now_ms()}
        if await tx.run(store.INSERT_ACCOUNT, params) != 1:
            raise Conflict(f"There is already an account named {name}.", code="account_exists")
        row = await tx.first(store.ACCOUNT_BY_NAME, {"name": name})
        assert row is not None
        return account_of(row)

    async def find(self, name: str) -> Account | None:
        row = await self._db.first(store.ACCOUNT_BY_NAME, {"name": clean_name(name, "account")})
        return None if row is None else account_of(row)

    async def get(self, name: str) -> Account:
        account = await self.find(name)
        if account is None:
            raise NotFound(
                f"There is no account named {name}. List them: tablegram account list", code="account_not_found"
            )
        return account

    async def get_by_id(self, account_id: int) -> Account:
        return _found(await self._db.first(store.ACCOUNT_BY_ID, {"id": account_id}), account_id)

    async def get_in(self, tx: Tx, account_id: int) -> Account:
        return _found(await tx.first(store.ACCOUNT_BY_ID, {"id": account_id}), account_id)

    async def list_after(self, account_id: int, limit: int) -> list[Account]:
        """The next accounts behind one, by number."""
        rows = await self._db.all(store.ACCOUNTS_AFTER, {"after": account_id, "limit": limit})
        return [account_of(row) for row in rows]

    async def list_accounts(self) -> list[Account]:
        return [account_of(row) for row in await self._db.all(store.ALL_ACCOUNTS)]

    async def suspend(self, account_id: int) -> Account:
        """From now on every key of the account is refused. Nothing is lost."""
        return await self._set_state(account_id, "suspended")

    async def resume(self, account_id: int) -> Account:
        return await self._set_state(account_id, "active")

    async def set_limits(self, account_id: int, rate: float | None, burst: int | None) -> Account:
        """Give the account's keys a rate and burst of their own; nothing means the installation's figures."""
        if rate is not None and not 0.001 <= rate <= MAX_RATE:
            raise Invalid.field("rate", "rate_invalid", f"The rate must be between 0.001 and {MAX_RATE:,.0f} a second.")
        if burst is not None and not 1 <= burst <= MAX_BURST:
            raise Invalid.field("burst", "burst_invalid", f"The burst must be between 1 and {MAX_BURST:,}.")
        milli = None if rate is None else round(rate * 1_000)
        await self._db.put((store.SET_LIMITS, {"which": account_id, "rate_limit_milli": milli, "rate_burst": burst}))
        return await self.get_by_id(account_id)

    async def set_plan(self, account_id: int, plan: str) -> Account:
        async def work(tx: Tx) -> None:
            await need_plan(tx, plan)
            await tx.run(store.SET_PLAN, {"which": account_id, "plan": plan})

        await self._db.write(work)
        return await self.get_by_id(account_id)

    async def list_plans(self) -> list[Plan]:
        """All plans; the standard one is there from the start."""

        async def work(tx: Tx) -> list[PlanRow]:
            await _ensure_standard_plan(tx)
            return await tx.all(store.ALL_PLANS, {})

        return [plan_of(row) for row in await self._db.write(work)]

    async def save_plan(self, plan: Plan) -> Plan:
        """Make a plan or change it. A change counts for every account on it, from its next send."""
        checked = check_plan(plan)
        figures = {"free_messages": checked.free_messages, "free_hours": checked.free_hours}

        async def work(tx: Tx) -> None:
            await tx.run(store.INSERT_PLAN, {"name": checked.name, **figures})
            await tx.run(store.UPDATE_PLAN, {"which": checked.name, **figures})

        await self._db.write(work)
        return checked

    async def _set_state(self, account_id: int, state: State) -> Account:
        await self._db.put((store.SET_STATE, {"which": account_id, "state": state}))
        return await self.get_by_id(account_id)


def check_plan(plan: Plan) -> Plan:
    """A plan with a clean name, or what is wrong with its figures."""
    if not 0 <= plan.free_messages <= 1_000_000_000:
        raise Invalid.field(
            "free_messages", "free_messages_invalid", "Free messages must be between 0 and 1,000,000,000."
        )
    if not 0 <= plan.free_hours <= 1_000_000:
        raise Invalid.field("free_hours", "free_hours_invalid", "Free hours must be between 0 and 1,000,000.")
    return Plan(clean_name(plan.name, "plan"), plan.free_messages, plan.free_hours)


async def need_plan(tx: Tx, name: str) -> Plan:
    """The plan of this name, held as the transaction sees it."""
    row = await tx.first(store.PLAN_BY_NAME, {"name": name})
    if row is None:
        raise NotFound(f"There is no plan named {name}. List them: tablegram plan list", code="plan_not_found")
    return plan_of(row)


async def _ensure_standard_plan(tx: Tx) -> None:
    await tx.run(
        store.INSERT_PLAN,
        {"name": STANDARD_PLAN, "free_messages": STANDARD_FREE_MESSAGES, "free_hours": STANDARD_FREE_HOURS},
    )


def _found(row: AccountRow | None, account_id: int) -> Account:
    if row is None:
        raise NotFound(f"There is no account {account_id}.", code="account_not_found")
    return account_of(row)


def plan_of(row: PlanRow) -> Plan:
    return Plan(row["name"], row["free_messages"], row["free_hours"])


def account_of(row: AccountRow) -> Account:
    milli = row["rate_limit_milli"]
    return Account(
        id=row["id"],
        name=row["name"],
        state=row["state"],
        plan=row["plan"],
        balance_micros=row["balance_micros"],
        quota_started_at=row["quota_started_at"],
        quota_used=row["quota_used"],
        rate_limit=None if milli is None else milli / 1_000,
        rate_burst=row["rate_burst"],
        created_at=row["created_at"],
    )
