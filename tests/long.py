"""How much a proof does: in `make test` what shows the promise, in the long commands many times that.

`make faults`, `make examples` and `make texts` set `LONG_PROOFS`, and whoever wants to see one test in its long form sets it too.
"""

from __future__ import annotations

import os

LONG = bool(os.environ.get("LONG_PROOFS"))


def many(short: int, long: int) -> int:
    """So many in each run of the suite, so many in the long commands."""
    return long if LONG else short


def walks(short: int, long: int) -> int:
    """So many walks of a state machine: half of `short` in each run of the suite, since `make faults` takes the long ones."""
    return long if LONG else (short + 1) // 2
