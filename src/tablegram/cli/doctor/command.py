"""tablegram doctor: is everything in order, and if not, what to do?"""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable, Iterator

import click

from tablegram import settings as configuration
from tablegram.accounts.money.rate_card import RateCard
from tablegram.cli.doctor.findings import Finding
from tablegram.cli.doctor.media import examine_media
from tablegram.cli.output import FAILED, Command, tell
from tablegram.cli.session import Session, in_session, make_data_dir, shown, with_store
from tablegram.engine.owners import Owner
from tablegram.errors import Misconfigured, Problem
from tablegram.messaging.instances import Instances
from tablegram.messaging.store import messages as message_store
from tablegram.restaurant import tables
from tablegram.settings import Settings
from tablegram.storage import migrate as migrations
from tablegram.values.secrets import load_secret_key

# The day this version was made; a clock before it is surely wrong.
BUILT_MS = 1_760_000_000_000

_RESTORE_KEY = "put the secret key back that they were sealed with (TABLEGRAM_SECRET_KEY_PREVIOUS)"

_MARKS = {"ok": "ok    ", "warn": "look  ", "bad": "WRONG "}


@click.command("doctor", cls=Command)
@click.pass_context
def doctor_command(context: click.Context) -> None:
    """Check configuration, clock, media store, storage, engine and lines; say what to do."""
    findings = list(_examine())
    tell(
        [{"about": one.about, "level": one.level, "detail": one.words} for one in findings],
        *[f"{_MARKS[one.level]} {one.about:<14} {one.words}" for one in findings],
    )
    if any(one.level == "bad" for one in findings):
        context.exit(FAILED)


def _examine() -> Iterator[Finding]:
    try:
        settings = configuration.load()
    except Misconfigured as error:
        yield Finding("configuration", "bad", str(error))
        return
    configured = list(_configuration(settings))
    yield from configured
    yield _clock()
    if all(one.level != "bad" for one in configured):
        yield examine_media(settings)
    schema = _storage(settings)
    yield schema
    if schema.level == "bad":
        return
    for check in (_engine, _lines, _venues):
        yield from _in_store(check)


def _configuration(settings: Settings) -> Iterator[Finding]:
    try:
        make_data_dir(settings)
        load_secret_key(settings)
        card = RateCard.load(settings.rate_card or None)
    except (Misconfigured, OSError) as error:
        yield Finding("configuration", "bad", str(error))
        return
    yield Finding("configuration", "ok", f"data in {settings.data_dir}, address {settings.base_url}")
    if card.is_sample:
        yield Finding("rate card", "warn", "the shipped sample is in use; set TABLEGRAM_RATE_CARD to your own prices")
    if settings.sandbox and settings.host not in ("127.0.0.1", "::1", "localhost"):
        yield Finding(
            "sandbox",
            "warn",
            f"the sandbox is on while the server listens on {settings.host}; it answers loopback only",
        )
    if not os.access(settings.data_dir, os.W_OK):
        yield Finding("data folder", "bad", f"{settings.data_dir} cannot be written; check its owner")


def _clock() -> Finding:
    now_ms = int(time.time() * 1_000)
    if now_ms < BUILT_MS:
        return Finding("clock", "bad", "the machine's clock is in the past; set it, or switch on time synchronisation")
    return Finding("clock", "ok", time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(now_ms / 1_000)))


def _storage(settings: Settings) -> Finding:
    url = settings.effective_database_url
    try:
        present = with_store(url, migrations.revision)
    except Problem as error:
        return Finding("storage", "bad", error.detail)
    if present != migrations.newest():
        state = "is empty" if present is None else f"has the schema {present}"
        return Finding("storage", "bad", f"{shown(url)} {state}; run: tablegram migrate")
    return Finding("storage", "ok", f"{shown(url)} has the present schema ({present})")


def _in_store(check: Callable[[Session], Awaitable[list[Finding]]]) -> list[Finding]:
    try:
        return in_session(check)
    except (Problem, Misconfigured) as error:
        return [Finding("storage", "bad", str(error))]


async def _engine(session: Session) -> list[Finding]:
    running = await Owner(session.db, session.clock).living()
    findings = [
        Finding("engine", "ok", f"{len(running)} server running")
        if running
        else Finding("engine", "warn", "no server is running; start one: tablegram serve")
    ]
    depth = await session.db.first(message_store.DEPTH)
    if depth is not None and depth["queued"]:
        words = f"{depth['queued']} messages are queued, {depth['in_doubt']} of them wait for the network's word"
        findings.append(Finding("queue", "ok" if running else "warn", words))
    return findings


async def _lines(session: Session) -> list[Finding]:
    instances = Instances(session.db, session.box, session.clock, session.settings.base_url)
    found = await instances.every()
    if not found:
        return [Finding("lines", "warn", "there is no line yet; make one: tablegram instance create")]
    healthy = ("connected", "created")
    return [
        Finding(
            f"line {one.id}",
            "ok" if one.state in healthy else "warn",
            f"{one.kind} {one.name}: {one.state}. {one.reason}".strip(),
        )
        for one in found
    ]


async def _venues(session: Session) -> list[Finding]:
    """Whether the codes on the tables can still be told from forged ones."""
    count, former, lost = await tables.count_keys(session.db, session.box)
    if lost:
        words = f"the keys of {lost} venues cannot be opened, and their codes are refused; {_RESTORE_KEY}"
        return [Finding("table codes", "bad", words)]
    if former:
        words = f"the keys of {former} venues are sealed with the previous secret key; run: tablegram secret reseal"
        return [Finding("table codes", "warn", words)]
    return [Finding("table codes", "ok", f"the codes of {count} venues can be checked")] if count else []
