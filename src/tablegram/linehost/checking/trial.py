"""Every case in order, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tablegram.linehost.checking import alone, rehearsed
from tablegram.linehost.checking.frames import Breach
from tablegram.linehost.checking.peer import Peer, Trial
from tablegram.linehost.wire import Ended


class Found(NamedTuple):
    """`held` is nothing where the host cannot be tried."""

    case: str
    held: bool | None
    words: str = ""


Case = Callable[[Trial], None]
CASES: tuple[Case, ...] = (*alone.CASES, *rehearsed.CASES)


def try_host(
    command: Sequence[str],
    folder: Path,
    settings: dict[str, str] | None = None,
    patience_s: float = 10.0,
    cases: Sequence[Case] = CASES,
) -> Iterator[Found]:
    """What a host does, case by case. `folder` is for it to write in."""
    trial = Trial(command, folder, settings or {}, patience_s)
    can_rehearse = _can_rehearse(trial)
    for case in cases:
        if can_rehearse or case in alone.CASES:
            yield _try(case, trial)
        else:
            yield Found(_words(case), None, "it does not rehearse")


def _try(case: Case, trial: Trial) -> Found:
    try:
        case(trial)
    except Breach as breach:
        return Found(_words(case), False, str(breach))
    except Ended as ended:
        return Found(_words(case), False, f"it ended: {ended}")
    return Found(_words(case), True)


def _can_rehearse(trial: Trial) -> bool:
    try:
        with Peer(trial) as host:
            return "rehearse" in host.greet().get("can", [])
    except (Breach, Ended):
        return False


def _words(case: Case) -> str:
    return (case.__doc__ or case.__name__).strip()
