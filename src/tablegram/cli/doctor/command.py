"""tablegram doctor: is everything in order, and if not, what to do?"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import click

from tablegram.accounts.money.rate_card import RateCard
from tablegram.cli.doctor.files import check_files
from tablegram.cli.output import FAILED, Command, tell
from tablegram.cli.session import Session, in_session, load_settings, make_data_dir, shown, with_store
from tablegram.engine.health.checkup import Check, Checkup, Finding
from tablegram.errors import Misconfigured, Problem
from tablegram.settings import Settings
from tablegram.storage import migrate as migrations
from tablegram.values.secrets import load_secret_key
from tablegram.wiring.parts import PARTS

# The day this version was made; a clock before it is surely wrong.
BUILT_MS = 1_760_000_000_000

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
        settings = load_settings()
    except Misconfigured as error:
        yield Finding("configuration", "bad", str(error))
        return
    if not settings.database_url and not settings.data_dir.exists():
        # A doctor who makes a folder and a secret key would make the wrong place look like the right one.
        yield Finding(
            "configuration",
            "bad",
            f"nothing is installed in {settings.data_dir.absolute()}; run: tablegram migrate, or name the folder of your "
            "installation in TABLEGRAM_DATA_DIR",
        )
        return
    configured = list(_configuration(settings))
    yield from configured
    yield _clock()
    if all(one.level != "bad" for one in configured):
        for look in [look for part in PARTS for look in part.settings_checks]:
            yield from look(settings)
    # Before anything opens the database: whoever does so forgets what is behind a damaged place.
    yield from check_files(settings)
    schema = _storage(settings)
    yield schema
    if schema.level == "bad":
        return
    for check in [check for part in PARTS for check in part.checks]:
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
    if present is not None and with_store(url, lambda one: migrations.serves_us(one, present)):
        return Finding(
            "storage", "warn", f"{shown(url)} has the schema of a newer version ({present}); upgrade this one"
        )
    if present != migrations.newest():
        state = "is empty" if present is None else f"has the schema {present}"
        return Finding("storage", "bad", f"{shown(url)} {state}; run: tablegram migrate")
    return Finding("storage", "ok", f"{shown(url)} has the present schema ({present})")


def _in_store(check: Check) -> list[Finding]:
    async def look(session: Session) -> list[Finding]:
        return await check(Checkup(session.settings, session.clock, session.db, session.box))

    try:
        return in_session(look)
    except (Problem, Misconfigured) as error:
        return [Finding("storage", "bad", str(error))]
