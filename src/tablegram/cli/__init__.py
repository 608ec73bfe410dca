"""The command line. One file a group of commands; `catalogue` knows where each is."""

from __future__ import annotations

import click

from tablegram.cli.catalogue import Catalogue


@click.group("tablegram", cls=Catalogue)
@click.version_option(package_name="tablegram", message="%(prog)s %(version)s")
def tablegram() -> None:
    """Tablegram: a messaging gateway.

    Settings come from environment variables that begin with TABLEGRAM_. Every command takes --json.
    """
