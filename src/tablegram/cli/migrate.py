"""tablegram migrate"""

from __future__ import annotations

import click
from alembic.util import CommandError

from tablegram import settings as configuration
from tablegram.cli.output import Command, tell
from tablegram.cli.session import make_data_dir, newer_schema, shown, with_store
from tablegram.storage import migrate as migrations


@click.command("migrate", cls=Command)
def migrate_command() -> None:
    """Migrate the database to the schema of this version. Safe to run again."""
    settings = configuration.load()
    make_data_dir(settings)
    url = settings.effective_database_url
    before = with_store(url, migrations.revision)
    if before is not None and with_store(url, lambda one: migrations.serves_us(one, before)):
        # A server of the version before that starts once more while an upgrade is under way.
        tell(
            {"revision": before, "previous": before},
            f"{shown(url)} has the schema of a newer version ({before}), which serves this one. Nothing was changed.",
        )
        return
    try:
        after = with_store(url, migrations.migrate)
    except CommandError as error:
        raise newer_schema(url, before) from error
    done = "already had" if before == after else "now has"
    tell({"revision": after, "previous": before}, f"{shown(url)} {done} the present schema ({after}).")
