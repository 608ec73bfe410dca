"""tablegram account …"""

from __future__ import annotations

import click

from tablegram.accounts.accounts import STANDARD_PLAN, Account
from tablegram.accounts.money.quota import top_up
from tablegram.cli.output import Group, table, tell
from tablegram.cli.parameters import Dollars, dollars
from tablegram.cli.session import Session, in_session
from tablegram.errors import Conflict
from tablegram.storage.database import Tx
from tablegram.values.clock import iso
from tablegram.values.ids import new_id


@click.group("account", cls=Group)
def account_group() -> None:
    """Make accounts, stop and resume them, fill their balance."""


@account_group.command("create")
@click.argument("name")
@click.option("--plan", default=STANDARD_PLAN, show_default=True, help="Plan that the account is on.")
def create(name: str, plan: str) -> None:
    """Create an account named NAME."""

    async def work(session: Session) -> Account:
        made = await session.accounts.create(name, plan)
        await session.note("account.created", "account", made.id, {"name": made.name, "plan": plan}, made.id)
        return made

    account = in_session(work)
    tell(
        described(account),
        f"Account {account.name} is made (number {account.id}, plan {account.plan}).",
        f"Next, a key: tablegram key create --account {_quoted(account.name)}",
    )


@account_group.command("list")
def list_accounts() -> None:
    """Show every account."""

    async def work(session: Session) -> list[Account]:
        return await session.accounts.list_accounts()

    accounts = in_session(work)
    rows = [(one.id, one.name, one.state, one.plan, dollars(one.balance_micros), _limits(one)) for one in accounts]
    headings = ("ID", "NAME", "STATE", "PLAN", "BALANCE", "LIMITS")
    empty = "There is no account yet. Make one: tablegram account create NAME"
    tell([described(account) for account in accounts], *table(headings, rows, empty))


@account_group.command("suspend")
@click.argument("name")
def suspend(name: str) -> None:
    """Refuse every key of account NAME, within 5 seconds."""

    async def work(session: Session) -> Account:
        account = await session.accounts.suspend((await session.accounts.get(name)).id)
        await session.note("account.suspended", "account", account.id, account=account.id)
        return account

    account = in_session(work)
    tell(described(account), f"Account {account.name} is suspended. Its keys stop working within 5 seconds.")


@account_group.command("resume")
@click.argument("name")
def resume(name: str) -> None:
    """Let the keys of account NAME work again."""

    async def work(session: Session) -> Account:
        account = await session.accounts.resume((await session.accounts.get(name)).id)
        await session.note("account.resumed", "account", account.id, account=account.id)
        return account

    account = in_session(work)
    tell(described(account), f"Account {account.name} is active. Its keys work again within 5 seconds.")


@account_group.command("top-up")
@click.argument("name")
@click.argument("amount", type=Dollars())
@click.option("--reference", default="", help="Your own name for this payment; the same one is added once only.")
def add_to_balance(name: str, amount: int, reference: str) -> None:
    """Add AMOUNT US dollars to the balance of account NAME."""

    async def work(session: Session) -> Account:
        account = await session.accounts.get(name)
        now_ms = session.clock.now_ms()
        key = reference.strip() or new_id(now_ms)

        async def add(tx: Tx) -> bool:
            return await top_up(tx, account.id, key, amount, now_ms)

        if not await session.db.write(add):
            raise Conflict(f"The payment {key} was already added to {account.name}.", code="payment_known")
        told = {"amount_usd": amount / 1_000_000, "reference": key}
        await session.note("account.topped_up", "account", account.id, told, account.id)
        return await session.accounts.get_by_id(account.id)

    account = in_session(work)
    tell(
        described(account),
        f"Added {dollars(amount)}. The balance of {account.name} is {dollars(account.balance_micros)}.",
    )


@account_group.command("limit")
@click.argument("name")
@click.option("--rate", type=float, help="Requests per second for each of its keys.")
@click.option("--burst", type=int, help="Requests that a key may make at once.")
@click.option("--default", "use_default", is_flag=True, help="Back to the installation's figures.")
def limit(name: str, rate: float | None, burst: int | None, use_default: bool) -> None:
    """Give the keys of account NAME a rate limit of their own. What is not given stays as it is."""
    if use_default == (rate is not None or burst is not None):
        raise click.UsageError("Give --rate, --burst or both; or --default alone.")

    async def work(session: Session) -> Account:
        account = await session.accounts.get(name)
        changed = await session.accounts.set_limits(
            account.id,
            None if use_default else account.rate_limit if rate is None else rate,
            None if use_default else account.rate_burst if burst is None else burst,
        )
        told = {"rate": changed.rate_limit, "burst": changed.rate_burst}
        await session.note("account.limits_changed", "account", account.id, told, account.id)
        return changed

    account = in_session(work)
    tell(described(account), f"The limits of {account.name}: {_limits(account)}.")


def described(account: Account) -> dict[str, object]:
    return {
        "id": account.id,
        "name": account.name,
        "state": account.state,
        "plan": account.plan,
        "balance_usd": account.balance_micros / 1_000_000,
        "free_messages_used": account.quota_used,
        "free_quota_started_at": iso(account.quota_started_at),
        "rate_limit": account.rate_limit,
        "rate_burst": account.rate_burst,
        "created_at": iso(account.created_at),
    }


def _limits(account: Account) -> str:
    if account.rate_limit is None and account.rate_burst is None:
        return "default"
    rate = "default rate" if account.rate_limit is None else f"{account.rate_limit:g}/s"
    return f"{rate}, {'default burst' if account.rate_burst is None else f'burst {account.rate_burst}'}"


def _quoted(name: str) -> str:
    return name if name.isalnum() else "'" + name.replace("'", "'\\''") + "'"
