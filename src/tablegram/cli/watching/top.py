"""tablegram top: the installation at a glance, drawn anew every few seconds."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import sys
import termios
import tty
from collections.abc import Iterator

import click
import msgspec

from tablegram.cli.output import Command, tell, wants_json
from tablegram.cli.session import Session, in_session
from tablegram.cli.watching.drawing import draw
from tablegram.cli.watching.looking import look
from tablegram.engine.owners import Owner
from tablegram.storage.database import sqlite_path

# The other screen without a cursor; and back to where the terminal was.
_ENTER, _LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
# To the first place, each line cleared behind its end, and all that is below.
_HOME, _END_OF_LINE, _BELOW = "\x1b[H", "\x1b[K", "\x1b[J"


@click.command("top", cls=Command)
@click.option("--once", is_flag=True, help="Print one look and end; so it is where the output is no terminal.")
@click.option("--every", "every_s", type=click.FloatRange(0.5, 3_600), default=2.0, show_default=True, help="Seconds.")
def top_command(once: bool, every_s: float) -> None:
    """Watch lines, queues, endpoints and processes live, until q or Ctrl-C."""
    live = not (once or wants_json()) and sys.stdout.isatty()
    try:
        in_session(lambda session: _watch(session, every_s) if live else _tell(session))
    except KeyboardInterrupt:
        if not live:
            raise


async def _tell(session: Session) -> None:
    seen = await look(session.db, session.clock, _owner(session))
    width, color = (shutil.get_terminal_size().columns, _has_color()) if sys.stdout.isatty() else (200, False)
    tell(msgspec.to_builtins(seen), *draw(seen, width, 1_000, color=color))


async def _watch(session: Session, every_s: float) -> None:
    owner, color, over = _owner(session), _has_color(), asyncio.Event()
    # Who is told to end leaves the terminal as it was.
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, over.set)
    with _keys(over):
        sys.stdout.write(_ENTER)
        try:
            while not over.is_set():
                seen = await look(session.db, session.clock, owner)
                size = shutil.get_terminal_size()
                lines = draw(seen, size.columns, size.lines, color=color)[: size.lines]
                sys.stdout.write(_HOME + "\n".join(line + _END_OF_LINE for line in lines) + _BELOW)
                sys.stdout.flush()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(over.wait(), every_s)
        finally:
            sys.stdout.write(_LEAVE)
            sys.stdout.flush()


@contextlib.contextmanager
def _keys(over: asyncio.Event) -> Iterator[None]:
    """While inside, keys are read as they are pressed and not shown, and q says that it is over."""
    if not sys.stdin.isatty():
        yield
        return
    loop, keyboard = asyncio.get_running_loop(), sys.stdin.fileno()

    def press() -> None:
        # A terminal that is gone says nothing more, for ever.
        pressed = os.read(keyboard, 64)
        if not pressed or b"q" in pressed.lower():
            loop.remove_reader(keyboard)
            over.set()

    before = termios.tcgetattr(keyboard)
    # Ctrl-C is a signal all the same.
    tty.setcbreak(keyboard)
    loop.add_reader(keyboard, press)
    try:
        yield
    finally:
        loop.remove_reader(keyboard)
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)


def _owner(session: Session) -> Owner:
    """Never registered: it only asks after the others."""
    alone = sqlite_path(session.settings.effective_database_url) is not None
    return Owner(session.db, session.settings.effective_lease_s, alone=alone)


def _has_color() -> bool:
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
