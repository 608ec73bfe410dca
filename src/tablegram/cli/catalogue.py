"""Which commands there are, and where: a command is loaded when it is asked for, and no other one with it.

Loading the whole server takes seconds. Whoever asks for the version, for help or for the keys of an account does not wait
for it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import click

from tablegram.cli.output import Group


class CommandPlace(NamedTuple):
    """Where a command is, below `tablegram.cli`, and what it is for: the first sentence of its own help."""

    module: str
    attribute: str
    summary: str


PLACES = {
    "account": CommandPlace(
        "accounts.account", "account_group", "Make accounts, stop and resume them, fill their balance."
    ),
    "backup": CommandPlace("upkeep", "backup_command", "Write a backup to FILE while everything runs."),
    "demo": CommandPlace(
        "serving",
        "demo_command",
        "Load demo data: an account, a sandbox line, a restaurant with its menu, and a key to try them with.",
    ),
    "doctor": CommandPlace(
        "doctor.command",
        "doctor_command",
        "Check configuration, clock, media store, storage, engine and lines; say what to do.",
    ),
    "instance": CommandPlace("instance", "instance_group", "Create and show lines, which send and receive messages."),
    "key": CommandPlace("accounts.key", "key_group", "Make, list and revoke API keys."),
    "line-host": CommandPlace("programs.line_host", "line_host_group", "Try programs that run linked lines."),
    "mcp": CommandPlace(
        "programs.mcp", "mcp_command", "Let assistants look into an account over the Model Context Protocol."
    ),
    "member": CommandPlace("accounts.member", "member_group", "Manage the people of an account and their roles."),
    "migrate": CommandPlace("migrate", "migrate_command", "Migrate the database to the schema of this version."),
    "operator": CommandPlace(
        "accounts.operator",
        "operator_group",
        "Manage operators, who see every account, plan and balance in the panel.",
    ),
    "plan": CommandPlace("accounts.plan", "plan_group", "Set what is free for a new account."),
    "print-agent": CommandPlace(
        "programs.print_agent",
        "print_agent_command",
        "Fetch tickets from a server and print them on printers of this network.",
    ),
    "purge": CommandPlace("upkeep", "purge_command", "Delete expired data now: used keys, request log, raw callbacks."),
    "requests": CommandPlace("upkeep", "requests_group", "Look into the log of API calls."),
    "restore": CommandPlace("upkeep", "restore_command", "Fill an empty database from the backup FILE."),
    "sandbox": CommandPlace("serving", "sandbox_command", "Run the sandbox network alone."),
    "secret": CommandPlace("secret", "secret_group", "Look after the installation's secret key."),
    "serve": CommandPlace("serving", "serve_command", "Run the server until Ctrl-C or SIGTERM."),
    "top": CommandPlace(
        "watching.top", "top_command", "Watch lines, queues, endpoints and processes live, until q or Ctrl-C."
    ),
}


class Catalogue(Group):
    """The program's commands, by name. What stands here for each tells what it is for, and no more."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        named = {name: click.Command(name, help=place.summary) for name, place in PLACES.items()}
        super().__init__(*args, **{**kwargs, "commands": named})

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant, loaded."""
        name, found, rest = super().resolve_command(ctx, args)
        return name, load(name) if name in PLACES else found, rest


def load(name: str) -> click.Command:
    place = PLACES[name]
    found = getattr(import_module(f"tablegram.cli.{place.module}"), place.attribute)
    assert isinstance(found, click.Command)
    return found
