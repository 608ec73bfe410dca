"""Bars: as high as their figures, never outside their frame, never nothing where something is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tablegram.panel.frame.charts import HEIGHT, WIDTH, Series, draw, round_up


@given(st.integers(0, 10**12))
def test_an_axis_ends_at_a_round_figure_that_nothing_exceeds(value: int) -> None:
    top = round_up(value)
    assert top >= value
    assert top <= max(4, value * 2)


def test_an_empty_chart_ends_at_nothing() -> None:
    assert draw("t", ["a", "b"], [Series("cost", [0, 0])], str, "s").top == "0"


@given(st.lists(st.tuples(st.integers(0, 10**9), st.integers(0, 10**9)), min_size=1, max_size=90))
def test_every_bar_is_inside_and_every_figure_is_in_the_table(pairs: list[tuple[int, int]]) -> None:
    labels = [f"day {number}" for number in range(len(pairs))]
    series = [Series("out", [one for one, _ in pairs]), Series("in", [two for _, two in pairs])]
    chart = draw("t", labels, series, str, "s")
    assert len(chart.bars) == sum(value > 0 for pair in pairs for value in pair)
    for bar in chart.bars:
        assert bar.height > 0
        assert bar.x >= 0
        assert bar.x + bar.width <= WIDTH + 0.1
        assert bar.y >= 0
        # Very small bars are drawn larger than they are, and may push by that much.
        assert bar.y + bar.height <= HEIGHT + 2
    assert [row.shown for row in chart.rows[::-1]] == [[str(one), str(two)] for one, two in pairs]
