"""What `tablegram top` draws fits the terminal, and shows what matters."""

from __future__ import annotations

import re

from tablegram.cli.watching.drawing import draw
from tablegram.cli.watching.looking import EndpointLook, LineLook, Look, Node, QueueLook

_STYLE = re.compile(r"\x1b\[\d+m")


def seen(lines: int) -> Look:
    return Look(
        at="now",
        queues=[QueueLook(name="messages out", waiting=1_200, oldest_s=400)],
        nodes=[Node(id="01abcdefgh", pid=7, alive=True, silent_s=2, lines=list(range(lines)), endpoints=1, printers=4)],
        lines=[
            LineLook(
                id=number, account_id=1, kind="cloud", name="\x1b[2JKadıköy" if number == 0 else "Moda",
                state="disconnected" if number == 0 else "connected", waiting=lines - number,
                oldest_s=float(90 * (lines - number)), node="01abcdefgh",
            )
            for number in range(lines)
        ],
        endpoints=[EndpointLook(id="wh_1", account_id=1, state="active", waiting=3, oldest_s=5)],
    )  # fmt: skip


def test_it_fits_the_terminal_and_counts_what_has_no_room() -> None:
    for width, height in ((60, 24), (100, 40), (200, 1_000)):
        lines = [_STYLE.sub("", line) for line in draw(seen(50), width, height, color=True)]
        assert len(lines) <= height
        assert max(map(len, lines)) <= width
        assert any(line.startswith("wh_1") for line in lines)
        hidden = [line for line in lines if line.endswith("more")]
        shown = sum(bool(re.match(r"\d+ +1 +cloud", line)) for line in lines)
        assert hidden == ([] if shown == 50 else [f"and {50 - shown} more"])


def test_what_waits_too_long_and_what_is_off_stands_out() -> None:
    lines = draw(seen(2), 120, 30, color=True)
    (off,) = [line for line in lines if "Kadıköy" in line]
    assert "\x1b[31mdisconnected" in off
    assert "\x1b[33m" in off
    assert "\x1b[31m6 min" in next(line for line in lines if "messages out" in line)
    assert "\x1b" not in "".join(draw(seen(2), 120, 30, color=False))


def test_a_process_shows_how_much_it_has_of_each_kind() -> None:
    lines = draw(seen(2), 120, 30, color=False)
    (place,) = [number for number, line in enumerate(lines) if line.startswith("NODE")]
    told = dict(zip(lines[place].split(), re.split(r"  +", lines[place + 1]), strict=True))
    assert (told["LINES"], told["ENDPOINTS"], told["PRINTERS"]) == ("0 1", "1", "4")


def test_a_name_cannot_move_the_cursor() -> None:
    assert "\x1b[2J" not in "".join(draw(seen(1), 120, 30, color=True))
