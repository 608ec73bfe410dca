"""What a process measures is counted where it belongs, and told as Prometheus reads it."""

from __future__ import annotations

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tablegram.server.metrics import render
from tablegram.values.watching.measures import Seconds, registry


def test_a_measure_counts_each_time_below_its_bounds_and_sums_them_up() -> None:
    made = Seconds("test_seconds", "For a test.", (0.1, 1.0), kind=("cloud", "linked"))
    try:
        for seconds in (0.05, 0.1, 0.5, 7.0, -3.0):
            made.took(seconds, "cloud")
        (family,) = [one for one in text_string_to_metric_families(render({})) if one.name == "tablegram_test_seconds"]
    finally:
        registry().unregister(made)
    assert family.type == "histogram"
    told = {
        (
            sample.name.removeprefix("tablegram_test_seconds_"),
            sample.labels["kind"],
            sample.labels.get("le"),
        ): sample.value
        for sample in family.samples
    }
    assert told["bucket", "cloud", "0.1"] == 3
    assert told["bucket", "cloud", "1.0"] == 4
    assert told["bucket", "cloud", "+Inf"] == told["count", "cloud", None] == 5
    assert told["sum", "cloud", None] == pytest.approx(7.65)
    assert told["count", "linked", None] == 0


def test_a_label_says_only_what_was_declared() -> None:
    made = Seconds("test_seconds", "For a test.", (0.1,), kind=("cloud",))
    try:
        for number in range(3):
            made.took(0.1, f"90555111223{number}")
        text = render({})
    finally:
        registry().unregister(made)
    assert "90555111223" not in text
    assert 'tablegram_test_seconds_count{kind="other"} 3.0' in text


def test_figures_of_one_name_stand_together_with_their_labels() -> None:
    text = render({'made_total{kind="a"}': 1, "waiting": 2, 'made_total{kind="b"}': 3})
    assert text.startswith(
        "# HELP tablegram_made_total Explained in docs/reference/metrics.md\n# TYPE tablegram_made_total counter\n"
        'tablegram_made_total{kind="a"} 1.0\ntablegram_made_total{kind="b"} 3.0\n'
    )
    assert "# TYPE tablegram_waiting gauge\ntablegram_waiting 2.0\n" in text
