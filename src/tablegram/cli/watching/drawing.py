"""A look as lines of text, as many as the terminal has room for."""

from __future__ import annotations

from collections.abc import Sequence

from tablegram.cli.watching.looking import Look

_BOLD, _DIM, _RED, _YELLOW, _PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[33m", "\x1b[0m"
# From here on a wait is worth a look, and then a call.
SLOW_S = 60.0
LATE_S = 300.0
_WELL = ("connected", "created", "active", "alive")
_SOON = ("degraded", "pairing")

# The text of a cell, and how it is to be seen.
Cell = tuple[str, str]


def draw(seen: Look, width: int, height: int, *, color: bool) -> list[str]:
    """The screen: what waits at the top, then processes, lines and endpoints. What has no room is counted."""
    lines = [_style(f"Tablegram  {seen.at}", _BOLD, color), ""]
    queues = [(_cell(one.name), _count(one.waiting), _wait(one.oldest_s)) for one in seen.queues]
    nodes = [
        (
            _cell(one.id[-8:]), _cell(one.pid), _state("alive" if one.alive else "gone"), _age(one.silent_s),
            _cell(_few(one.lines)), _cell(one.endpoints), _cell(one.printers),
        )
        for one in seen.nodes
    ]  # fmt: skip
    rows = [
        (
            _cell(one.id), _cell(one.account_id), _cell(one.kind), _state(one.state), _count(one.waiting),
            _wait(one.oldest_s), _cell(one.node[-8:]), _cell(one.name),
        )
        for one in seen.lines
    ]  # fmt: skip
    endpoints = [
        (_cell(one.id), _cell(one.account_id), _state(one.state), _count(one.waiting), _wait(one.oldest_s))
        for one in seen.endpoints
    ]
    parts: list[tuple[Sequence[str], Sequence[Sequence[Cell]], str]] = [
        (("QUEUE", "WAITING", "OLDEST"), queues, "Nothing is kept."),
        (
            ("NODE", "PID", "STATE", "SILENT", "LINES", "ENDPOINTS", "PRINTERS"),
            nodes,
            "No server runs on this database.",
        ),
        (("LINE", "ACCOUNT", "KIND", "STATE", "WAITING", "OLDEST", "NODE", "NAME"), rows, "There is no line yet."),
        (("ENDPOINT", "ACCOUNT", "STATE", "WAITING", "OLDEST"), endpoints, "No event waits for an endpoint."),
    ]
    for index, (headings, cells, empty) in enumerate(parts):
        # Each of those that follow needs its heading, a line and a gap.
        room = height - len(lines) - 3 * (len(parts) - index - 1) - 2
        lines += [*_table(headings, cells, empty, width, max(1, room), color), ""]
    return lines[:-1]


def _table(
    headings: Sequence[str], rows: Sequence[Sequence[Cell]], empty: str, width: int, room: int, color: bool
) -> list[str]:
    if not rows:
        return [_style(empty, _DIM, color)]
    shown = rows if len(rows) <= room else rows[: max(1, room - 1)]
    widths = [max(len(head), *(len(row[place][0]) for row in shown)) for place, head in enumerate(headings)]
    made = [_line([(head, _DIM) for head in headings], widths, width, color)]
    made += [_line(row, widths, width, color) for row in shown]
    if len(shown) < len(rows):
        made.append(_style(f"and {len(rows) - len(shown)} more", _DIM, color))
    return made


def _line(cells: Sequence[Cell], widths: Sequence[int], width: int, color: bool) -> str:
    """As wide as the terminal at the most. Names of accounts' own may hold anything: only what is seen is printed."""
    line, left = "", width
    for (text, style), wide in zip(cells, widths, strict=True):
        seen = "".join(letter if letter.isprintable() else "?" for letter in text).ljust(wide)[: max(0, left)]
        line += _style(seen, style, color)
        left -= wide + 2
        if left > 0:
            line += "  "
    return line.rstrip()


def _style(text: str, style: str, color: bool) -> str:
    return f"{style}{text}{_PLAIN}" if color and style and text.strip() else text


def _cell(value: object) -> Cell:
    return str(value), ""


def _count(number: int) -> Cell:
    return f"{number:,}", _BOLD if number else _DIM


def _state(word: str) -> Cell:
    return word, "" if word in _WELL else _YELLOW if word in _SOON else _RED


def _wait(seconds: float) -> Cell:
    style = _RED if seconds >= LATE_S else _YELLOW if seconds >= SLOW_S else ""
    return (_span(seconds), style) if seconds else ("-", _DIM)


def _age(seconds: float) -> Cell:
    return _span(seconds), ""


def _span(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes = int(seconds) // 60
    if minutes < 100:
        return f"{minutes} min"
    return f"{minutes // 60} h" if minutes < 6_000 else f"{minutes // 1_440} d"


def _few(numbers: list[int]) -> str:
    named = " ".join(map(str, numbers[:6]))
    return f"{named} +{len(numbers) - 6}" if len(numbers) > 6 else named or "-"
