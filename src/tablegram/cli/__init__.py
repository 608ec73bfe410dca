"""The command line. One file a group of commands; here they are put together."""

from __future__ import annotations

import click

from tablegram.cli.accounts.account import account_group
from tablegram.cli.accounts.key import key_group
from tablegram.cli.accounts.member import member_group
from tablegram.cli.accounts.operator import operator_group
from tablegram.cli.accounts.plan import plan_group
from tablegram.cli.doctor.command import doctor_command
from tablegram.cli.instance import instance_group
from tablegram.cli.migrate import migrate_command
from tablegram.cli.output import Group
from tablegram.cli.secret import secret_group
from tablegram.cli.serving import demo_command, sandbox_command, serve_command
from tablegram.cli.upkeep import backup_command, purge_command, requests_group, restore_command


@click.group("tablegram", cls=Group)
@click.version_option(package_name="tablegram", message="%(prog)s %(version)s")
def tablegram() -> None:
    """Tablegram: a messaging gateway.

    Settings come from environment variables that begin with TABLEGRAM_. Every command takes --json.
    """


for command in (
    serve_command,
    demo_command,
    sandbox_command,
    migrate_command,
    doctor_command,
    account_group,
    key_group,
    instance_group,
    secret_group,
    member_group,
    operator_group,
    plan_group,
    requests_group,
    backup_command,
    restore_command,
    purge_command,
):
    tablegram.add_command(command)
