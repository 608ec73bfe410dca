"""tablegram backup, restore, purge, requests: the operator's chores."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click
from msgspec.structs import asdict

from tablegram import settings as configuration
from tablegram.accounts.money import quota
from tablegram.api.records.request_log import RequestLog
from tablegram.api.records.shown import view
from tablegram.api.schemas.answers import RequestView
from tablegram.cli.alone import only_server
from tablegram.cli.output import Command, Group, table, tell
from tablegram.cli.parameters import account_option
from tablegram.cli.session import Session, in_session, make_data_dir, with_store
from tablegram.engine.purging import Retention
from tablegram.errors import Conflict, NotFound
from tablegram.messaging.rows.messages import OwnedRow
from tablegram.messaging.store import messages as store
from tablegram.messaging.store.restoring import stop_queued
from tablegram.storage.database import Tx
from tablegram.storage.upkeep import archive
from tablegram.values.clock import Clock
from tablegram.values.figures.counting import counted
from tablegram.values.secrets import load_secret_key


@click.command("backup", cls=Command)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def backup_command(file: Path) -> None:
    """Write a backup to FILE while everything runs.

    The secret key is not in it: keep DATA_DIR/secret.key in another safe place. Without it the backup's
    API keys and line secrets are of no use, to you and to anybody else.
    """

    async def work(session: Session) -> dict[str, int]:
        return await archive.save(session.db, file, session.box.fingerprint(), session.clock.now_ms())

    counts = in_session(work, whole=True)
    tell(
        {"file": str(file), "rows": counts},
        f"Saved in {file}: {counted(sum(counts.values()), 'row')} "
        f"({counted(counts['messages'], 'message')}, {counted(counts['accounts'], 'account')}).",
        "The secret key is not in it: keep that apart.",
    )


@click.command("restore", cls=Command)
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--send-queued", is_flag=True, help="Send what was still queued when the backup was made.")
def restore_command(file: Path, send_queued: bool) -> None:
    """Fill an empty database from the backup FILE.

    What was queued at that moment may have been sent since. So that nothing is sent twice it is marked
    failed (restored_unsent), unless you say --send-queued.
    """
    settings = configuration.load()
    make_data_dir(settings)
    head = archive.read_head(file)
    if head["secret"] != load_secret_key(settings).fingerprint():
        raise Conflict(
            "The backup belongs to another secret key. Put that key in place first (TABLEGRAM_SECRET_KEY or "
            "DATA_DIR/secret.key); without it no API key and no line secret of the backup would work.",
            code="secret_key_differs",
        )
    with only_server(settings.data_dir):
        after = None if send_queued else partial(stop_queued, now_ms=Clock().now_ms())
        counts = with_store(settings.effective_database_url, lambda url: archive.load(url, file, after))
        stopped = 0 if send_queued else in_session(_refund_stopped)
    tell(
        {"rows": counts, "restored_unsent": stopped},
        f"Restored: {counted(sum(counts.values()), 'row')}.",
        f"Marked failed (restored_unsent), because they may have been sent since: {counted(stopped, 'queued message')}.",
    )


async def _refund_stopped(session: Session) -> int:
    """Give back what the stopped messages had cost; returns how many they are."""

    async def refund(tx: Tx, row: OwnedRow) -> None:
        await quota.refund(tx, row["account_id"], row["id"], session.clock.now_ms())

    rows = await session.db.all(store.RESTORED)
    for row in rows:
        await session.db.write(partial(refund, row=row))
    return len(rows)


@click.command("purge", cls=Command)
def purge_command() -> None:
    """Delete expired data now: used keys, request log, raw callbacks. The server does it hourly."""
    # Every part of the server: the other commands here do not wait for them.
    from tablegram.wiring.parts import PARTS

    async def work(session: Session) -> dict[str, int]:
        purges = [purge for part in PARTS for purge in part.purges]
        return await Retention(session.db, session.clock, session.settings, purges).purge()

    gone = in_session(work)
    tell(gone, "Forgotten: " + ", ".join(f"{count} {name}" for name, count in gone.items()) + ".")


@click.group("requests", cls=Group)
def requests_group() -> None:
    """Look into the log of API calls."""


@requests_group.command("show")
@account_option
@click.argument("request_id")
def show(account_name: str, request_id: str) -> None:
    """Show the call with the X-Request-Id REQUEST_ID."""

    async def work(session: Session) -> RequestView:
        account = await session.accounts.get(account_name)
        row = await RequestLog(session.db).find(account.id, request_id)
        if row is None:
            raise NotFound(f"The log of {account.name} has no call {request_id}.", code="request_unknown")
        return view(row)

    found = in_session(work)
    tell(found, *[f"{name + ':':<13}{'' if value is None else value}" for name, value in asdict(found).items()])


@requests_group.command("list")
@account_option
@click.option("--limit", type=click.IntRange(1, 200), default=20, show_default=True)
def list_requests(account_name: str, limit: int) -> None:
    """Show the newest calls of an account."""

    async def work(session: Session) -> list[RequestView]:
        account = await session.accounts.get(account_name)
        return [view(row) for row in await RequestLog(session.db).page(account.id, "", limit)]

    found = in_session(work)
    rows = [(one.created_at, one.request_id, one.method, one.path, one.status, one.code or "") for one in found]
    tell(found, *table(("AT", "REQUEST", "METHOD", "PATH", "STATUS", "CODE"), rows, "No call was made yet."))
