"""What the installation's own administrators do with accounts. Each act is noted in the account it concerns."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.accounts import quota, store
from tablegram.accounts.accounts import Account, Accounts, Plan
from tablegram.accounts.audit import Actor, Audit
from tablegram.accounts.keys import KeyRing
from tablegram.accounts.people.model import Person
from tablegram.accounts.people.sessions import Sessions
from tablegram.accounts.quota import QuotaState
from tablegram.errors import Conflict, Invalid, ScopeMissing
from tablegram.settings import Settings
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock

_MICROS = 1_000_000


@dataclass(frozen=True, slots=True)
class Operating:
    db: Database
    clock: Clock
    settings: Settings
    accounts: Accounts
    keys: KeyRing
    sessions: Sessions
    audit: Audit

    async def list_accounts(self, operator: Person) -> list[Account]:
        _check(operator)
        return await self.accounts.list_accounts()

    async def get(self, operator: Person, account_id: int) -> tuple[Account, QuotaState]:
        _check(operator)
        account = await self.accounts.get_by_id(account_id)
        prepaid = self.settings.billing == "prepaid"
        return account, await quota.quota_state(self.db, account_id, self.clock.now_ms(), prepaid)

    async def has_several_accounts(self) -> bool:
        """Asked for people who are no operators, too: nothing is told of any account."""
        return len(await self.db.all(store.SOME_ACCOUNTS)) > 1

    async def plans(self, operator: Person) -> list[Plan]:
        _check(operator)
        return await self.accounts.list_plans()

    async def create(self, operator: Person, name: str, plan: str) -> Account:
        _check(operator)
        account = await self.accounts.create(name, plan)
        await self._note(operator, "account.created", account.id, {"name": account.name, "plan": plan})
        return account

    async def suspend(self, operator: Person, account_id: int) -> Account:
        """Every key and every person of the account is refused from now on. Nothing is lost."""
        _check(operator)
        account = await self.accounts.suspend(account_id)
        await self._changed(operator, "account.suspended", account_id, {})
        return account

    async def resume(self, operator: Person, account_id: int) -> Account:
        _check(operator)
        account = await self.accounts.resume(account_id)
        await self._changed(operator, "account.resumed", account_id, {})
        return account

    async def set_plan(self, operator: Person, account_id: int, plan: str) -> Account:
        _check(operator)
        account = await self.accounts.set_plan(account_id, plan)
        await self._changed(operator, "account.plan_changed", account_id, {"plan": plan})
        return account

    async def top_up(self, operator: Person, account_id: int, usd: float | None, reference: str) -> None:
        """Add to a balance. The reference makes it happen once, however often the form is sent."""
        _check(operator)
        await self.accounts.get_by_id(account_id)
        if usd is None:
            raise Invalid.field("amount", "amount_invalid", "Write how many dollars to add, for example 25.")
        if not reference:
            raise Invalid.field("reference", "reference_missing", "Write what the payment is known by.")
        amount, now = round(usd * _MICROS), self.clock.now_ms()

        async def work(tx: Tx) -> bool:
            return await quota.top_up(tx, account_id, reference, amount, now)

        if not await self.db.write(work):
            raise Conflict("A payment with this reference was added already.", code="payment_known")
        await self._changed(operator, "account.topped_up", account_id, {"amount_usd": usd, "reference": reference})

    async def _changed(self, operator: Person, action: str, account_id: int, detail: dict[str, object]) -> None:
        self.keys.forget(account_id)
        self.sessions.forget_account(account_id)
        await self._note(operator, action, account_id, detail)

    async def _note(self, operator: Person, action: str, account_id: int, detail: dict[str, object]) -> None:
        actor = Actor("person", operator.id, operator.shown_name)
        await self.audit.note(actor, action, "account", account_id, {**detail, "operator": True}, account_id=account_id)


def _check(operator: Person) -> None:
    if not operator.is_operator:
        raise ScopeMissing("Only the installation's own operators may do this.", code="operator_only")
