"""What is said on the command line, in the environment or in a file. Keys in a file stay out of the list of processes."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import NamedTuple

from tablegram.printagent.devices.opening import FORMS, WrongDevice, open_device
from tablegram.printagent.slips import WORDS, Paper

# What may stand in the environment, where no list of processes shows it.
VARIABLES = ("TABLEGRAM_PRINT_SERVER", "TABLEGRAM_PRINT_KEY", "TABLEGRAM_WEBHOOK_SECRET")
SERVER_VARIABLE, KEY_VARIABLE, SECRET_VARIABLE = VARIABLES


class Post(NamedTuple):
    """One printer: its key, and the device if this machine says it rather than the server."""

    key: str
    device: str


class Options(NamedTuple):
    server: str
    posts: list[Post]
    folder: Path
    find: bool
    listen: tuple[str, int] | None
    secret: str
    devices: dict[str, str]
    paper: Paper
    as_json: bool


def parser(program: str = "tablegram print-agent") -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog=program,
        description="Fetch tickets from a Tablegram server and print them on printers of this network.",
        epilog=f"A device is {FORMS}.",
        allow_abbrev=False,
    )
    made.add_argument(
        "--server",
        metavar="URL",
        default=os.environ.get(SERVER_VARIABLE, ""),
        help="address of the server, such as https://gateway.example",
    )
    made.add_argument(
        "--key",
        metavar="KEY[=DEVICE]",
        action="append",
        default=[],
        help=f"key of a printer, as the panel shows it; repeat it for more printers (or {KEY_VARIABLE}, with spaces between)",
    )
    made.add_argument("--keys-file", metavar="FILE", type=Path, help="a file with one KEY[=DEVICE] a line")
    made.add_argument(
        "--state", metavar="FOLDER", type=Path, default=default_folder(), help="where the journal is kept (%(default)s)"
    )
    made.add_argument(
        "--find",
        action="store_true",
        help="look for printers in this network (port 9100 of the own /24), say which, and end",
    )
    _add_listening(made)
    made.add_argument("--json", action="store_true", help="say what happens as JSON, one object a line")
    return made


def _add_listening(made: argparse.ArgumentParser) -> None:
    """For those that work without a key: they are told of orders, and draw the slips themselves."""
    made.add_argument(
        "--listen", metavar="HOST:PORT", help="take restaurant.order_created webhooks here instead of asking the server"
    )
    made.add_argument(
        "--secret",
        metavar="whsec_…",
        default=os.environ.get(SECRET_VARIABLE, ""),
        help=f"the endpoint's secret, which its signatures are checked with (or {SECRET_VARIABLE})",
    )
    made.add_argument(
        "--print",
        metavar="STATION=DEVICE",
        action="append",
        default=[],
        help="with --listen: where a station prints; * is any other",
    )
    made.add_argument(
        "--columns", type=int, choices=(32, 42, 48), default=42, help="with --listen: characters in a line"
    )
    made.add_argument(
        "--code-page",
        metavar="PAGE:SLOT",
        default="cp857:13",
        help="with --listen: code page and its number in the printer (%(default)s)",
    )
    made.add_argument(
        "--language", choices=sorted(WORDS), default="en", help="with --listen: language of the slip's own words"
    )


def read_options(arguments: list[str], program: str = "tablegram print-agent") -> Options:
    """The options, or an exit with words that say what is missing."""
    made = parser(program)
    given = made.parse_args(arguments)
    try:
        posts = [
            _post(text) for text in [*given.key, *os.environ.get(KEY_VARIABLE, "").split(), *_lines(given.keys_file)]
        ]
        devices = dict(_station(text) for text in given.print)
        listen = _listen(given.listen) if given.listen else None
        paper = _paper(given)
    except (ValueError, OSError) as error:
        made.error(str(error))
    if not given.find and listen is None and (not given.server or not posts):
        made.error("--server and --key are needed. The panel shows both beside a printer of the kind agent.")
    if listen is not None and (not given.secret or not devices):
        made.error("--listen needs --secret and at least one --print STATION=DEVICE.")
    return Options(given.server, posts, given.state, given.find, listen, given.secret, devices, paper, given.json)


def default_folder() -> Path:
    base = os.environ.get("STATE_DIRECTORY") or os.environ.get("XDG_STATE_HOME")
    return Path(base or Path.home() / ".local" / "state") / (
        "" if os.environ.get("STATE_DIRECTORY") else "tablegram-print-agent"
    )


def _lines(path: Path | None) -> list[str]:
    if path is None:
        return []
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def _post(text: str) -> Post:
    key, _, device = text.partition("=")
    if not key.isascii() or not key.replace("_", "").isalnum():
        raise ValueError("a key has letters and digits alone; copy it from the panel")
    if device:
        _check_device(device)
    return Post(key, device)


def _station(text: str) -> tuple[str, str]:
    station, _, device = text.partition("=")
    if not station or not device:
        raise ValueError(f"--print {text!r}: write STATION=DEVICE, such as kitchen=tcp://192.168.1.50")
    _check_device(device)
    return station, device


def _check_device(device: str) -> None:
    try:
        open_device(device)
    except WrongDevice as error:
        raise ValueError(str(error)) from None


def _listen(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 <= int(port) < 65_536:
        raise ValueError(f"--listen {text!r}: write HOST:PORT, such as 127.0.0.1:8300")
    return host.strip("[]"), int(port)


def _paper(given: argparse.Namespace) -> Paper:
    page, _, slot = given.code_page.partition(":")
    try:
        "".encode(page)
    except LookupError:
        raise ValueError(f"--code-page: {page!r} is no code page; write one such as cp857:13") from None
    if not slot.isdecimal() or int(slot) > 255:
        raise ValueError("--code-page: write the page and its number in the printer, such as cp857:13")
    return Paper(given.columns, page, int(slot), given.language)
