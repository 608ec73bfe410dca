"""How much a proof does: in `make test` what shows the promise, in the long commands many times that.

`make faults`, `make examples` and `make texts` set `LONG_PROOFS`, and whoever wants to see one test in its long form sets it too.
"""

from __future__ import annotations

import os

LONG = bool(os.environ.get("LONG_PROOFS"))
# Which database a run is on is known before a test is loaded.
_on_server = False


def walk_on_server() -> None:
    """From now on, in this process and in those that are forked off it: the database is a server."""
    global _on_server
    _on_server = True


def many(short: int, long: int) -> int:
    """So many in each run of the suite, so many in the long commands."""
    return long if LONG else short


def walks(short: int, long: int) -> int:
    """So many walks of a state machine; on a server, which computes twice as much for one, half of them in each run."""
    if LONG:
        return long
    return (short + 1) // 2 if _on_server else short
