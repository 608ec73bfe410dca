"""The store, opened for one command. Commands work beside a running server: their transactions are short."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from tablegram import settings as configuration
from tablegram.accounts.accounts import Accounts
from tablegram.accounts.audit import Actor
from tablegram.accounts.keys.keys import KeyRing
from tablegram.accounts.operating.installation import check_secret_key
from tablegram.accounts.people.house import People, gather_people
from tablegram.accounts.team import Team
from tablegram.cli.alone import noted_address
from tablegram.errors import Conflict, Unavailable
from tablegram.settings import Settings
from tablegram.storage.database import Database, errors_of, open_database, sqlite_path, without_password
from tablegram.storage.revision import newest, revision
from tablegram.values.clock import Clock
from tablegram.values.secrets import SecretBox, load_secret_key

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Session:
    """What commands work with."""

    settings: Settings
    clock: Clock
    db: Database
    box: SecretBox
    accounts: Accounts
    team: Team
    keys: KeyRing
    people: People

    async def note(
        self,
        action: str,
        object_kind: str,
        object_id: object,
        detail: Mapping[str, object] | None = None,
        account: int = 0,
    ) -> None:
        """Remember what was done at the machine itself; for the installation as a whole, without an account."""
        await self.people.audit.note(Actor.command(), action, object_kind, object_id, detail, account_id=account)


def in_session(
    work: Callable[[Session], Awaitable[Result]], settings: Settings | None = None, *, whole: bool = False
) -> Result:
    """Read the settings, check the schema, open the store, do the work, close the store."""
    settings = settings or load_settings()
    require_schema(settings, whole=whole)
    return asyncio.run(_work(settings, work))


def load_settings() -> Settings:
    """The settings of a command beside a server. Links are those of the server, unless the environment says where it is."""
    settings = configuration.load()
    default = Settings()
    told = settings.public_url or (settings.host, settings.port) != (default.host, default.port)
    noted = "" if told else noted_address(settings.data_dir)
    return dataclasses.replace(settings, public_url=noted) if noted else settings


def require_schema(settings: Settings, *, whole: bool = False) -> None:
    """Refuse to work on a schema of another version, unless it is a newer one that still serves this program.

    Who has to know all of the schema, as a backup does, says `whole`.

    A SQLite database without a table is a first start and is migrated on the spot. A server's
    database is never touched unasked: it may be the wrong one.
    """
    url = settings.effective_database_url
    make_data_dir(settings)
    present = with_store(url, revision)
    if present == newest():
        return
    # What migrates is loaded only now: few starts need it.
    from tablegram.storage import migrate as migrations

    if present is None and sqlite_path(url) is not None:
        with_store(url, migrations.migrate)
        return
    if present is None:
        raise Conflict(f"{shown(url)} is empty. Run: tablegram migrate", code="migration_needed")
    if not whole and with_store(url, lambda one: migrations.serves_us(one, present)):
        return
    if migrations.is_newer(present):
        raise newer_schema(url, present)
    raise Conflict(
        f"{shown(url)} has the schema of another version ({present}; this program needs {newest()}). "
        "Make a backup, then run: tablegram migrate",
        code="migration_needed",
    )


def newer_schema(url: str, present: str | None) -> Conflict:
    return Conflict(
        f"{shown(url)} was made by a newer version of the program ({present}). Use that version, or restore a backup.",
        code="schema_newer",
    )


def with_store(url: str, function: Callable[[str], Result]) -> Result:
    """Do something with a database's address; when it cannot be reached, say so in plain words."""
    try:
        return function(url)
    except Exception as error:
        if not isinstance(error, errors_of(url)):
            raise
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise Unavailable(f"{shown(url)} cannot be used: {reason}. Check TABLEGRAM_DATABASE_URL.") from error


def make_data_dir(settings: Settings) -> None:
    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)


def shown(url: str) -> str:
    """The address without its password."""
    return f"The database {without_password(url)}"


async def _work(settings: Settings, work: Callable[[Session], Awaitable[Result]]) -> Result:
    box = load_secret_key(settings)
    clock = Clock()
    db = open_database(settings)
    await db.open()
    try:
        await check_secret_key(db, box)
        accounts, team = Accounts(db, clock), Team(db, clock)
        keys = KeyRing(db, box, clock, settings)
        # A command prints its links; letters are the server's.
        people = gather_people(db, box, clock, settings, mail=None, spawn=lambda _, letter: letter.close())
        return await work(Session(settings, clock, db, box, accounts, team, keys, people))
    finally:
        await db.close()
