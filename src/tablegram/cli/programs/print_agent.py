"""tablegram print-agent"""

from __future__ import annotations

import click

from tablegram.cli.output import Command, wants_json
from tablegram.printagent.options import parser
from tablegram.printagent.program import main


class AgentCommand(Command):
    """The agent reads its options itself, since it also runs where nothing else is installed."""

    def get_help(self, ctx: click.Context) -> str:
        return parser().format_help().rstrip()


@click.command(
    "print-agent", cls=AgentCommand, context_settings={"ignore_unknown_options": True, "allow_extra_args": True}
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def print_agent_command(context: click.Context, arguments: tuple[str, ...]) -> None:
    """Fetch tickets from a server and print them on printers of this network."""
    context.exit(main([*arguments, *(["--json"] if wants_json() else [])]))
