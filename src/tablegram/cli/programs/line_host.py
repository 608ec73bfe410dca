"""tablegram line-host …"""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from tablegram.cli.output import FAILED, Group, tell, wants_json
from tablegram.linehost.checking.trial import Found, try_host

_MARKS = {True: "holds", False: "FAILS", None: "-"}


@click.group("line-host", cls=Group)
def line_host_group() -> None:
    """Try programs that run linked lines."""


@line_host_group.command("check", context_settings={"allow_interspersed_args": False})
@click.option("--set", "given", multiple=True, metavar="NAME=TEXT", help="A setting that the host is greeted with.")
@click.option(
    "--patience", type=click.FloatRange(1, 600), default=10.0, show_default=True, help="Seconds to wait for an answer."
)
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def check(given: tuple[str, ...], patience: float, command: tuple[str, ...]) -> int:
    """Start COMMAND as the host of a line, and try it against the line protocol; exit code 1 when it breaks it."""
    settings = {}
    for one in given:
        name, equals, text = one.partition("=")
        if not equals or not name:
            raise click.BadParameter(f"write NAME=TEXT, not {one!r}", param_hint="--set")
        settings[name] = text
    found: list[Found] = []
    with tempfile.TemporaryDirectory(prefix="tablegram-line-host-") as folder:
        for one_found in try_host(command, Path(folder), settings, patience):
            found.append(one_found)
            if not wants_json():
                click.echo(f"{_MARKS[one_found.held]:<5}  {one_found.case}")
                if one_found.words:
                    click.echo(f"       {one_found.words}")
    failed = sum(one.held is False for one in found)
    held = sum(one.held is True for one in found)
    tell(
        {"held": held, "failed": failed, "cases": [one._asdict() for one in found]},
        f"{held} of {len(found)} hold, {failed} fail, {len(found) - held - failed} could not be tried.",
    )
    return FAILED if failed else 0
