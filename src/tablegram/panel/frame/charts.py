"""Bars drawn by us: plain, with their figures beside them, and a table behind."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 600.0, 120.0
_GAP = 0.28


@dataclass(frozen=True, slots=True)
class Series:
    name: str
    values: Sequence[int]


@dataclass(frozen=True, slots=True)
class Bar:
    # Counted from 1, as the colours are.
    series: int
    x: float
    y: float
    width: float
    height: float
    title: str


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A row of the table behind the chart."""

    label: str
    shown: list[str]


@dataclass(frozen=True, slots=True)
class Chart:
    title: str
    # What a reader without eyes on it is told.
    summary: str
    series: Sequence[Series]
    labels: Sequence[str]
    bars: list[Bar]
    rows: list[ChartRow]
    # The value at the upper edge.
    top: str
    width: float = WIDTH
    height: float = HEIGHT
    with_table: bool = True
    # What the rows of the table are, where they are no days.
    head: str = ""


def draw(
    title: str,
    labels: Sequence[str],
    series: Sequence[Series],
    show: Callable[[int], str],
    summary: str,
    *,
    with_table: bool = True,
    head: str = "",
) -> Chart:
    """Bars of several series stand on each other, the first one at the bottom. With a `head`, rows are in their order."""
    heights = [sum(one.values[place] for one in series) for place in range(len(labels))]
    top = round_up(max(heights, default=0))
    step = WIDTH / max(len(labels), 1)
    bars = []
    for place, label in enumerate(labels):
        base = HEIGHT
        for number, one in enumerate(series, 1):
            value = one.values[place]
            if value <= 0:
                continue
            # A value that is there is never drawn as nothing.
            height = max(value / top * (HEIGHT - 2), 1.5)
            base -= height
            bars.append(
                Bar(
                    number,
                    round(place * step + step * _GAP / 2, 2),
                    round(max(base, 0), 2),
                    round(step * (1 - _GAP), 2),
                    round(height, 2),
                    f"{label}: {one.name} {show(value)}",
                )
            )
    rows = [ChartRow(label, [show(one.values[place]) for one in series]) for place, label in enumerate(labels)]
    # An empty chart has no height to tell of.
    return Chart(
        title, summary, series, labels, bars, rows if head else rows[::-1], show(top if bars else 0),
        with_table=with_table, head=head,
    )  # fmt: skip


def round_up(value: int) -> int:
    """The next figure that a person would write on an axis."""
    if value <= 4:
        return 4
    size = 10 ** math.floor(math.log10(value))
    return int(next(size * factor for factor in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if size * factor >= value))
