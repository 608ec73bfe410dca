"""What the installation's own administrators do with accounts and plans, on pages and over the API.

Each act is noted in the account it concerns, in the transaction of the act; what is about no account, in the
installation's own log.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from msgspec.structs import asdict

from tablegram.accounts import store
from tablegram.accounts.accounts import Account, Accounts, Plan, check_plan, need_plan
from tablegram.accounts.audit import Acting
from tablegram.accounts.keys.keys import KeyRing
from tablegram.accounts.money import quota
from tablegram.accounts.money.quota import QuotaState
from tablegram.accounts.naming import clean_name
from tablegram.accounts.operating.answers import (
    AccountDetail,
    AccountPage,
    AccountPerson,
    AccountView,
    OpenedAccount,
    PlanView,
    TopUpView,
)
from tablegram.accounts.operating.first_owner import FirstOwner, Invitee
from tablegram.accounts.operating.operators import INSTALLATION, Operator, actor_of, calls_from, check_operator, holds
from tablegram.accounts.people.house import People
from tablegram.accounts.team import Member, Team
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict, Invalid, NotFound
from tablegram.settings import Settings
from tablegram.storage.database import Database, Statement, Tx
from tablegram.storage.upkeep.room import Room, measure_room
from tablegram.values.clock import Clock, iso
from tablegram.values.cursor import cursor_wrong, decode_cursor, encode_cursor
from tablegram.values.folding import words

_MICROS = 1_000_000
_MAX_REFERENCE = 100
# How many accounts are looked through at a time for those that a search means.
_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Health:
    """Whether the store answers, what /metrics shows, and how much room there is."""

    is_ready: bool
    figures: dict[str, float]
    room: Room


@dataclass(frozen=True, slots=True)
class Operating:
    db: Database
    clock: Clock
    settings: Settings
    accounts: Accounts
    team: Team
    keys: KeyRing
    people: People
    idempotency: Idempotency
    is_ready: Callable[[], Awaitable[bool]]
    figures: Callable[[], Awaitable[dict[str, float]]]

    async def list_accounts(self, operator: Operator) -> list[Account]:
        check_operator(operator)
        return await self.accounts.list_accounts()

    async def page(
        self, operator: Operator, *, limit: int, cursor: str | None = None, search: str = "", state: str = ""
    ) -> AccountPage:
        """Accounts by number; those whose name or number begins with every word that is searched for."""
        check_operator(operator)
        after, typed = 0 if cursor is None else _number(cursor), words(search)
        found: list[Account] = []
        while len(found) <= limit:
            chunk = await self.accounts.list_after(after, _CHUNK)
            found += [one for one in chunk if (not state or one.state == state) and _fits(one, typed)]
            if len(chunk) < _CHUNK:
                break
            after = chunk[-1].id
        more = len(found) > limit
        return AccountPage(
            data=[account_view(one) for one in found[:limit]],
            next_cursor=encode_cursor(str(found[limit - 1].id)) if more else None,
        )

    async def get(self, operator: Operator, account_id: int) -> tuple[Account, QuotaState]:
        check_operator(operator)
        account = await self.accounts.get_by_id(account_id)
        prepaid = self.settings.billing == "prepaid"
        return account, await quota.quota_state(self.db, account_id, self.clock.now_ms(), prepaid)

    async def show(self, operator: Operator, account_id: int) -> AccountDetail:
        """One account with where it stands and who is in it."""
        account, standing = await self.get(operator, account_id)
        return AccountDetail(
            **asdict(account_view(account)),
            billing=standing.billing,
            free_messages=standing.free_messages,
            free_used=standing.free_used,
            free_left=standing.free_left,
            free_until=iso(standing.free_until),
            members=[_member_view(one) for one in await self.team.list_members(account_id)],
        )

    async def has_several_accounts(self) -> bool:
        """Asked for people who are no operators, too: nothing is told of any account."""
        return len(await self.db.all(store.SOME_ACCOUNTS)) > 1

    async def create(
        self, operator: Operator, name: str, plan: str, owner: Invitee | None, call: Call
    ) -> Result[OpenedAccount]:
        """Open an account. With an owner, the answer holds the link that lets them in, and is kept sealed."""
        check_operator(operator)
        acting, by = self._acting(operator, INSTALLATION), actor_of(operator)
        shown, first = clean_name(name, "name"), FirstOwner(self.clock, self.team, self.people)
        drawn = None if owner is None else first.draw(owner)

        async def work(tx: Tx) -> Result[OpenedAccount]:
            try:
                account = await self.accounts.create_in(tx, shown, plan)
            except NotFound as problem:
                raise _unknown_plan(plan) from problem
            noting, detail = acting.within(account.id), {"name": account.name, "plan": plan, "operator": True}
            await noting.note(tx, "account.created", "account", account.id, detail)
            invited = None if drawn is None else await first.invite_in(tx, account, drawn, noting, by.id)
            return Result(OpenedAccount(**asdict(account_view(account)), owner=invited), 201)

        answer = await self.idempotency.once_for(OpenedAccount, calls_from(operator), call, work, self.keys.box)
        if owner is not None:
            first.mail(answer, by.name, owner.language)
        return answer

    async def invite_owner(
        self, operator: Operator, account_id: int, owner: Invitee, call: Call
    ) -> Result[OpenedAccount]:
        """A link for the first owner of an account that nobody has signed in to yet; a former one ends."""
        check_operator(operator)
        acting, by = self._acting(operator, account_id), actor_of(operator)
        first = FirstOwner(self.clock, self.team, self.people)
        drawn = first.draw(owner)

        async def work(tx: Tx) -> Result[OpenedAccount]:
            account = await self.accounts.get_in(tx, account_id)
            invited = await first.invite_in(tx, account, drawn, acting, by.id)
            return Result(OpenedAccount(**asdict(account_view(account)), owner=invited), 201)

        answer = await self.idempotency.once_for(OpenedAccount, calls_from(operator), call, work, self.keys.box)
        first.mail(answer, by.name, owner.language)
        return answer

    async def suspend(self, operator: Operator, account_id: int, call: Call) -> Result[AccountView]:
        """Every key and every person of the account is refused from now on. Nothing is lost."""
        check_operator(operator)
        if holds(operator, account_id):
            raise Conflict(
                "This key belongs to the account that it would suspend, and would be refused from then on. "
                "Suspend it in the panel, or at the machine: tablegram account suspend",
                code="own_account",
            )
        change = (store.SET_STATE, {"which": account_id, "state": "suspended"})
        return await self._change(operator, account_id, change, "account.suspended", {}, call)

    async def resume(self, operator: Operator, account_id: int, call: Call) -> Result[AccountView]:
        check_operator(operator)
        change = (store.SET_STATE, {"which": account_id, "state": "active"})
        return await self._change(operator, account_id, change, "account.resumed", {}, call)

    async def set_plan(self, operator: Operator, account_id: int, plan: str) -> Result[AccountView]:
        check_operator(operator)
        change = (store.SET_PLAN, {"which": account_id, "plan": plan})
        detail: dict[str, object] = {"plan": plan}
        return await self._change(operator, account_id, change, "account.plan_changed", detail, Call("plan"), plan)

    async def top_up(
        self, operator: Operator, account_id: int, usd: float | None, reference: str, call: Call
    ) -> Result[TopUpView]:
        """Add to a balance. The reference makes it happen once for ever, the call's own key its answer for a day."""
        check_operator(operator)
        if usd is None:
            raise Invalid.field("amount", "amount_invalid", "Write how many dollars to add, for example 25.")
        if not reference:
            raise Invalid.field("reference", "reference_missing", "Write what the payment is known by.")
        if len(reference) > _MAX_REFERENCE or not reference.isprintable():
            raise Invalid.field(
                "reference", "reference_invalid", f"Write it on one line, with at most {_MAX_REFERENCE} characters."
            )
        amount, now, acting = round(usd * _MICROS), self.clock.now_ms(), self._acting(operator, account_id)
        detail = {"amount_usd": usd, "reference": reference, "operator": True}

        async def work(tx: Tx) -> Result[TopUpView]:
            await self.accounts.get_in(tx, account_id)
            if not await quota.top_up(tx, account_id, reference, amount, now):
                raise Conflict("A payment with this reference was added already.", code="payment_known")
            await acting.note(tx, "account.topped_up", "account", account_id, detail)
            account = await self.accounts.get_in(tx, account_id)
            told = TopUpView(
                account_id=account_id,
                reference=reference,
                amount_usd=amount / _MICROS,
                balance_usd=account.balance_micros / _MICROS,
            )
            return Result(told)

        answer = await self.idempotency.once_for(TopUpView, calls_from(operator), call, work)
        self._forget(account_id)
        return answer

    async def plans(self, operator: Operator) -> list[Plan]:
        check_operator(operator)
        return await self.accounts.list_plans()

    async def make_plan(self, operator: Operator, plan: Plan, call: Call) -> Result[PlanView]:
        check_operator(operator)
        checked, acting = check_plan(plan), self._acting(operator, INSTALLATION)
        made = plan_view(checked)

        async def work(tx: Tx) -> Result[PlanView]:
            if not await tx.run(store.INSERT_PLAN, asdict(made)):
                raise Conflict(f"There is already a plan named {checked.name}.", code="plan_exists")
            await acting.note(tx, "plan.created", "plan", checked.name, asdict(made))
            return Result(made, 201)

        return await self.idempotency.once_for(PlanView, calls_from(operator), call, work)

    async def change_plan(
        self, operator: Operator, name: str, free_messages: int | None, free_hours: int | None
    ) -> Plan:
        """Other figures for a plan; they count for every account on it, from its next send."""
        check_operator(operator)
        acting = self._acting(operator, INSTALLATION)
        await self.accounts.list_plans()  # The standard plan is there from the start, also where nobody has looked yet.

        async def work(tx: Tx) -> Plan:
            before = await need_plan(tx, name)
            plan = check_plan(
                Plan(
                    name,
                    before.free_messages if free_messages is None else free_messages,
                    before.free_hours if free_hours is None else free_hours,
                )
            )
            figures = {"free_messages": plan.free_messages, "free_hours": plan.free_hours}
            await tx.run(store.UPDATE_PLAN, {"which": name, **figures})
            told = {"from": asdict(plan_view(before)), "to": asdict(plan_view(plan))}
            await acting.note(tx, "plan.changed", "plan", name, told)
            return plan

        return await self.db.write(work)

    async def health(self, operator: Operator) -> Health:
        check_operator(operator)
        is_ready = await self.is_ready()
        return Health(is_ready, await self.figures() if is_ready else {}, measure_room(self.settings))

    async def _change(
        self,
        operator: Operator,
        account_id: int,
        change: Statement,
        action: str,
        detail: dict[str, object],
        call: Call,
        plan: str | None = None,
    ) -> Result[AccountView]:
        acting = self._acting(operator, account_id)

        async def work(tx: Tx) -> Result[AccountView]:
            await self.accounts.get_in(tx, account_id)
            if plan is not None:
                try:
                    await need_plan(tx, plan)
                except NotFound as problem:
                    raise _unknown_plan(plan) from problem
            await tx.run(*change)
            await acting.note(tx, action, "account", account_id, {**detail, "operator": True})
            return Result(account_view(await self.accounts.get_in(tx, account_id)))

        answer = await self.idempotency.once_for(AccountView, calls_from(operator), call, work)
        self._forget(account_id)
        return answer

    def _acting(self, operator: Operator, account_id: int) -> Acting:
        return self.people.audit.acting(actor_of(operator), account_id)

    def _forget(self, account_id: int) -> None:
        """What is remembered of the account's keys and sessions is looked up again."""
        self.keys.forget(account_id)
        self.people.sessions.forget_account(account_id)


def account_view(account: Account) -> AccountView:
    return AccountView(
        id=account.id,
        name=account.name,
        state=account.state,
        plan=account.plan,
        balance_usd=account.balance_micros / _MICROS,
        created_at=iso(account.created_at) or "",
    )


def plan_view(plan: Plan) -> PlanView:
    return PlanView(name=plan.name, free_messages=plan.free_messages, free_hours=plan.free_hours)


def _member_view(member: Member) -> AccountPerson:
    state: Literal["invited", "active"] = "invited" if member.person_id is None else "active"
    return AccountPerson(email=member.email, name=member.name, role=member.role, state=state)


def _fits(account: Account, typed: list[str]) -> bool:
    there = words(f"{account.name} {account.id}")
    return all(any(word.startswith(one) for word in there) for one in typed)


def _number(cursor: str) -> int:
    text = decode_cursor(cursor)
    if not (text.isascii() and text.isdigit() and len(text) <= 16):
        raise cursor_wrong()
    return int(text)


def _unknown_plan(plan: str) -> Invalid:
    return Invalid.field("plan", "plan_not_found", f"There is no plan named {plan}.")
