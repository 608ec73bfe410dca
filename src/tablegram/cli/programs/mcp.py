"""tablegram mcp"""

from __future__ import annotations

import os
from importlib.metadata import version
from importlib.util import find_spec

import click

from tablegram.cli.output import Command
from tablegram.errors import Misconfigured

KEY = "TABLEGRAM_KEY"


@click.command("mcp", cls=Command)
@click.option("--url", default="http://127.0.0.1:8000", show_default=True, help="Where the server is.")
@click.option("--write", "may_write", is_flag=True, help="Also tools that send, write notes and change orders.")
@click.option("--port", type=click.IntRange(1, 65_535), help="Serve over HTTP at this port, at /mcp.")
@click.option("--host", default="127.0.0.1", show_default=True, help="With --port: the address to listen at.")
def mcp_command(url: str, may_write: bool, port: int | None, host: str) -> None:
    """Let assistants look into an account over the Model Context Protocol.

    On standard input and output it uses the API key in TABLEGRAM_KEY. Over HTTP everybody sends their own.
    """
    if find_spec("mcp") is None:
        raise Misconfigured("This needs the extra `mcp`: pip install 'tablegram[mcp]'.")
    key = os.environ.get(KEY, "")
    if not key and not port:
        raise Misconfigured(f"Put an API key into {KEY}. `tablegram key create` makes one.")
    from tablegram.assistant.serving import run

    run(url, key, version("tablegram"), may_write=may_write, host=host, port=port or 0)
