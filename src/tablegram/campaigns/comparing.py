"""Whether a campaign did something: who got it beside who was left out, with how sure that is.

Shares are compared by Newcombe's interval, which holds for small and lopsided groups; it is 95%.
"""

from __future__ import annotations

from math import sqrt
from typing import Literal

import msgspec

# Below this in either group nothing is said.
ENOUGH = 30
_Z = 1.959964

Verdict = Literal["more", "less", "no_difference", "too_few"]


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """Of two shares, in percent: the difference, and between what it lies."""

    difference: float
    low: float
    high: float
    verdict: Verdict


def compare(bought: int, written: int, bought_without: int, left_out: int) -> Compared | None:
    """Nothing where nobody is in one of the groups."""
    if not written or not left_out:
        return None
    one, other = bought / written, bought_without / left_out
    low_one, high_one = _wilson(bought, written)
    low_other, high_other = _wilson(bought_without, left_out)
    difference = one - other
    low = difference - sqrt((one - low_one) ** 2 + (high_other - other) ** 2)
    high = difference + sqrt((high_one - one) ** 2 + (other - low_other) ** 2)
    verdict: Verdict = "no_difference"
    if min(written, left_out) < ENOUGH:
        verdict = "too_few"
    elif low > 0:
        verdict = "more"
    elif high < 0:
        verdict = "less"
    return Compared(difference=_percent(difference), low=_percent(low), high=_percent(high), verdict=verdict)


def _wilson(hits: int, n: int) -> tuple[float, float]:
    share, z2 = hits / n, _Z * _Z
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z / (1 + z2 / n) * sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def _percent(share: float) -> float:
    return round(share * 100, 2)
