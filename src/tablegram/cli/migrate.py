"""tablegram migrate"""

from __future__ import annotations

import click
from alembic.util import CommandError

from tablegram import settings as configuration
from tablegram.cli.output import Command, tell
from tablegram.cli.session import make_data_dir, shown, with_store
from tablegram.errors import Conflict
from tablegram.storage import migrate as migrations


@click.command("migrate", cls=Command)
def migrate_command() -> None:
    """Bring the database to the schema of this version. Safe to run again."""
    settings = configuration.load()
    make_data_dir(settings)
    url = settings.effective_database_url
    before = with_store(url, migrations.revision)
    try:
        after = with_store(url, migrations.migrate)
    except CommandError as error:
        raise Conflict(
            f"{shown(url)} was made by a newer version of the program ({before}). Use that version, or restore a backup.",
            code="schema_newer",
        ) from error
    done = "already had" if before == after else "now has"
    tell({"revision": after, "previous": before}, f"{shown(url)} {done} the present schema ({after}).")
