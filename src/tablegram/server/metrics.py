"""The page of figures: what parts of the product count and read from the store, and what this process measured."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from tablegram.values.watching.measures import PREFIX, registry

if TYPE_CHECKING:
    from prometheus_client.core import Metric

_WORDS = "Explained in docs/reference/metrics.md"
_LABEL = re.compile(r'([a-z_]+)="([^"\\\n]*)"')


def render(figures: Mapping[str, float]) -> str:
    """Prometheus' text form. A name may carry its labels: `requests_total{status="200"}`."""
    from prometheus_client import generate_latest

    return (generate_latest(_Figures(figures)) + generate_latest(registry())).decode()


class _Figures:
    """What was read a moment ago. All of one name stand together, whichever part they come from."""

    def __init__(self, figures: Mapping[str, float]) -> None:
        self._figures = figures

    def collect(self) -> Iterable[Metric]:
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        families: dict[str, Metric] = {}
        for written, value in self._figures.items():
            name, _, rest = written.partition("{")
            if name not in families:
                kind = CounterMetricFamily if name.endswith("_total") else GaugeMetricFamily
                families[name] = kind(PREFIX + name, _WORDS)
            families[name].add_sample(PREFIX + name, dict(_LABEL.findall(rest)), value)
        return families.values()
