"""What a command prints: plain words for people, one JSON document with `--json` for programs."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import click
import msgspec

from tablegram.errors import Misconfigured, Problem

log = logging.getLogger("tablegram")

_JSON = "tablegram.json"

FAILED = 1


class Command(click.Command):
    """A command that also answers in JSON."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.append(
            click.Option(
                ["--json"],
                is_flag=True,
                expose_value=False,
                is_eager=True,
                callback=_note_json,
                help="Print one JSON document instead of words, errors too.",
            )
        )


class Group(click.Group):
    """Groups and commands below it are of the same kind."""

    command_class = Command
    group_class = type


def tell(data: Any, *lines: str) -> None:
    """Print a result: `data` with `--json`, else the lines."""
    if wants_json():
        click.echo(msgspec.json.encode(data))
    else:
        for line in lines:
            click.echo(line)


def tell_if_heard(say: Callable[[], None]) -> None:
    """For who works on in any case: nobody may be left to read it, and the disk that it goes to may be full."""
    try:
        say()
    except OSError as error:
        log.warning("what the server says of itself cannot be written: %s", error.strerror or error)
        _fall_silent()


def flush() -> None:
    """Before a fork, so that nothing is said twice; where it cannot be written now, it stays for later."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()


def _fall_silent() -> None:
    """Nobody reads the output; Python must not complain about it once more at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def wants_json() -> bool:
    context = click.get_current_context(silent=True)
    return bool(context is not None and context.meta.get(_JSON))


def table(headings: Sequence[str], rows: Sequence[Sequence[object]], empty: str) -> list[str]:
    """Rows under headings, in columns as wide as they need to be; a sentence when there are none."""
    if not rows:
        return [empty]
    cells = [[str(cell) for cell in row] for row in (headings, *rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(headings))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]


def run(root: click.Group, arguments: Sequence[str]) -> int:
    """Run the program and return its exit code: 0 done, 1 could not be done, 2 called in the wrong way."""
    as_json = "--json" in arguments
    try:
        code = root.main(list(arguments), prog_name="tablegram", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.ClickException as error:
        return _misuse(error, as_json)
    except Problem as error:
        return _fail(error.code, error.detail, as_json)
    except Misconfigured as error:
        return _fail("misconfigured", str(error), as_json)
    except BrokenPipeError:
        _fall_silent()
        return FAILED
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _fail("system_error", f"{where}{error.strerror or error}", as_json)
    except (click.Abort, KeyboardInterrupt):
        return _fail("interrupted", "Interrupted.", as_json)


def _misuse(error: click.ClickException, as_json: bool) -> int:
    if as_json:
        code = "usage" if isinstance(error, click.UsageError) else "failed"
        _print_error(code, error.format_message())
    else:
        error.show()
    return error.exit_code


def _fail(code: str, detail: str, as_json: bool) -> int:
    if as_json:
        _print_error(code, detail)
    else:
        click.echo(f"Error: {detail}", err=True)
    return FAILED


def _print_error(code: str, detail: str) -> None:
    click.echo(msgspec.json.encode({"error": {"code": code, "detail": detail}}))


def _note_json(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    context.meta[_JSON] = value
