"""tablegram key …"""

from __future__ import annotations

import click

from tablegram.accounts.keys.key_format import Mode
from tablegram.accounts.keys.key_records import KeyRecord, NewKey
from tablegram.accounts.scopes import ALL
from tablegram.cli.output import Group, table, tell
from tablegram.cli.parameters import Duration, account_option
from tablegram.cli.session import Session, in_session
from tablegram.values.clock import Clock, iso


@click.group("key", cls=Group)
def key_group() -> None:
    """Make, list and revoke API keys."""


@key_group.command("create")
@account_option
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    metavar="SCOPE",
    help="What the key may do; repeat it for more. Default: everything.",
)
@click.option(
    "--operator",
    "is_operator",
    is_flag=True,
    help="A key for the installation's own work instead: every account, plan and balance, and no messages.",
)
@click.option("--test", "is_test", is_flag=True, help="A key that reaches sandbox lines only.")
@click.option("--name", default="", help="What the key is for, to recognise it later.")
@click.option(
    "--expires-in",
    "lifetime_ms",
    type=Duration(),
    help="How long the key works, for example 30d or 12h. Default: forever.",
)
def create(
    account_name: str, scopes: tuple[str, ...], is_operator: bool, is_test: bool, name: str, lifetime_ms: int | None
) -> None:
    """Create an API key and print it, alone on the last line. It cannot be shown again.

    An operator's key belongs to an account, which sees it in its list and can revoke it: take your own.
    """
    if is_operator and (scopes or is_test):
        raise click.UsageError(
            "An operator's key does the installation's work and nothing else: no --scope, no --test."
        )

    async def work(session: Session) -> NewKey:
        account = await session.accounts.get(account_name)
        expires_at = None if lifetime_ms is None else session.clock.now_ms() + lifetime_ms
        if is_operator:
            made = await session.keys.create_for_operator(account.id, name=name, expires_at=expires_at)
        else:
            mode: Mode = "test" if is_test else "live"
            made = await session.keys.create(
                account.id, name=name, mode=mode, scopes=scopes or (ALL,), expires_at=expires_at
            )
        told = {"name": made.record.name, "mode": made.record.mode, "scopes": list(made.record.scopes)}
        await session.note("key.created", "key", made.record.id, told, account.id)
        return made

    made = in_session(work)
    record = made.record
    may = "everything" if record.scopes == (ALL,) else ", ".join(record.scopes)
    if is_operator:
        may = "the installation's own work (every account, plan and balance)"
    until = f"until {iso(record.expires_at)}" if record.expires_at else "until it is revoked"
    tell(
        {**described(record), "key": made.token},
        f"A {record.mode} key for {account_name} that may do {may}, {until}. Its id is {record.id}.",
        "This is the only time it is shown:",
        made.token,
    )


@key_group.command("list")
@account_option
def list_keys(account_name: str) -> None:
    """Show the keys of an account, without the keys themselves."""

    async def work(session: Session) -> list[KeyRecord]:
        account = await session.accounts.get(account_name)
        keys: list[KeyRecord] = []
        while page := await session.keys.list_keys(account.id, after=keys[-1].id if keys else ""):
            keys += page
        return keys

    keys = in_session(work)
    rows = [
        (
            key.id,
            f"tg_{key.mode}_…{key.last4}",
            _state(key),
            iso(key.last_used_at) or "never",
            key.name,
            " ".join(key.scopes),
        )
        for key in keys
    ]
    headings = ("ID", "KEY", "STATE", "LAST USED", "NAME", "SCOPES")
    empty = "This account has no key yet. Make one: tablegram key create --account NAME"
    tell([described(key) for key in keys], *table(headings, rows, empty))


@key_group.command("revoke")
@click.argument("reference", metavar="KEY")
@account_option
def revoke(reference: str, account_name: str) -> None:
    """Revoke a key for good, within 5 seconds.

    KEY is its id, the beginning of its id, its last four characters, or the whole key.
    """

    async def work(session: Session) -> KeyRecord:
        account = await session.accounts.get(account_name)
        key = await session.keys.find(account.id, reference)
        ended = await session.keys.revoke(account.id, key.id)
        await session.note("key.revoked", "key", key.id, {"name": key.name, "last4": key.last4}, account.id)
        return ended

    key = in_session(work)
    tell(described(key), f"Key {key.id} (ending in {key.last4}) is revoked. It stops working within 5 seconds.")


def described(key: KeyRecord) -> dict[str, object]:
    return {
        "id": key.id,
        "mode": key.mode,
        "name": key.name,
        "last4": key.last4,
        "scopes": key.scopes,
        "state": _state(key),
        "created_at": iso(key.created_at),
        "expires_at": iso(key.expires_at),
        "revoked_at": iso(key.revoked_at),
        "last_used_at": iso(key.last_used_at),
    }


def _state(key: KeyRecord) -> str:
    if key.revoked_at is not None:
        return "revoked"
    return "expired" if key.expires_at is not None and key.expires_at <= Clock().now_ms() else "active"
