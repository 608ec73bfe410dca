"""tablegram plan …"""

from __future__ import annotations

from dataclasses import asdict

import click

from tablegram.accounts.accounts import STANDARD_FREE_HOURS, STANDARD_FREE_MESSAGES, Account, Plan
from tablegram.cli.accounts.account import described
from tablegram.cli.output import Group, table, tell
from tablegram.cli.parameters import account_option
from tablegram.cli.session import Session, in_session
from tablegram.values.figures.counting import counted


@click.group("plan", cls=Group)
def plan_group() -> None:
    """Set what is free for a new account. Counts only with TABLEGRAM_BILLING=prepaid."""


@plan_group.command("list")
def list_plans() -> None:
    """Show every plan."""

    async def work(session: Session) -> list[Plan]:
        return await session.accounts.list_plans()

    plans = in_session(work)
    rows = [(plan.name, plan.free_messages, plan.free_hours) for plan in plans]
    tell([asdict(plan) for plan in plans], *table(("NAME", "FREE MESSAGES", "WITHIN HOURS"), rows, "There is no plan."))


@plan_group.command("set")
@click.argument("name")
@click.option("--free-messages", type=int, help=f"Messages that are free. A new plan: {STANDARD_FREE_MESSAGES}.")
@click.option(
    "--free-hours", type=int, help=f"Hours after the first send in which they are. A new plan: {STANDARD_FREE_HOURS}."
)
def save(name: str, free_messages: int | None, free_hours: int | None) -> None:
    """Create plan NAME, or change it. Options that you leave out stay as they are."""

    async def work(session: Session) -> Plan:
        present = {plan.name: plan for plan in await session.accounts.list_plans()}
        before = present.get(name.strip(), Plan(name, STANDARD_FREE_MESSAGES, STANDARD_FREE_HOURS))
        saved = await session.accounts.save_plan(
            Plan(
                name,
                before.free_messages if free_messages is None else free_messages,
                before.free_hours if free_hours is None else free_hours,
            )
        )
        action = "plan.changed" if saved.name in present else "plan.created"
        await session.note(action, "plan", saved.name, asdict(saved))
        return saved

    plan = in_session(work)
    tell(
        asdict(plan),
        f"Plan {plan.name}: {counted(plan.free_messages, 'free message')} within {counted(plan.free_hours, 'hour')} of the first send.",
    )


@plan_group.command("assign")
@click.argument("name")
@account_option
def assign(name: str, account_name: str) -> None:
    """Put an account on plan NAME."""

    async def work(session: Session) -> Account:
        account = await session.accounts.get(account_name)
        changed = await session.accounts.set_plan(account.id, name)
        await session.note("account.plan_changed", "account", account.id, {"plan": name}, account.id)
        return changed

    account = in_session(work)
    tell(described(account), f"Account {account.name} is on plan {account.plan}.")
