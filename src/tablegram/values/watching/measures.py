"""How long things take: histograms that a process keeps in memory, and tells to whoever asks for /metrics.

They belong to the process, as its memory does: each process counts what it did itself. What a label may say is written
down where a measure is declared, so that nothing that comes from outside can become one: no number, no name, and no
more series than are listed. What writes the page is loaded when somebody asks for it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate, product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry
    from prometheus_client.core import Metric

PREFIX = "tablegram_"
OTHER = "other"
# From a look at memory to a network that takes its time.
CALL_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
# From at once to a line that was away for an evening.
WAIT_S = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0, 300.0, 1_800.0, 10_800.0)

# Every measure of the process. They are declared when their module is loaded.
_DECLARED: list[Seconds] = []


@cache
def registry() -> CollectorRegistry:
    """Where the library finds every measure that was declared by now."""
    from prometheus_client import CollectorRegistry, ProcessCollector

    made = CollectorRegistry()
    # Memory, processor time and open files, by the names that everybody knows them by.
    ProcessCollector(registry=made)
    for one in _DECLARED:
        made.register(one)
    return made


class _Series:
    """How often it took up to each bound, and beyond the last; and all of it together."""

    __slots__ = ("counts", "sum")

    def __init__(self, bounds: int) -> None:
        self.counts = [0] * (bounds + 1)
        self.sum = 0.0


class Seconds:
    """A histogram of seconds. `labels` names each label, with every value that it may have.

    What is counted is two additions in the one thread that serves: the library's own histogram takes a lock for each,
    and three times as long. The library writes the page.
    """

    def __init__(self, name: str, words: str, bounds: Sequence[float], **labels: Sequence[str]) -> None:
        self._name = PREFIX + name
        self._words = words
        self._labels = tuple(labels)
        self._bounds = bounds
        # Each is there from the start, at zero: what comes out of nothing is not seen to grow.
        self._series = {which: _Series(len(bounds)) for which in product(*labels.values())}
        _DECLARED.append(self)
        if registry.cache_info().currsize:
            registry().register(self)

    def took(self, seconds: float, *which: str) -> None:
        """Count one. Work does not fail for its measure: what was not declared is one series, `other`."""
        series = self._series.get(which)
        if series is None:
            series = self._series.setdefault((OTHER,) * len(self._labels), _Series(len(self._bounds)))
        series.counts[bisect_left(self._bounds, seconds)] += 1
        # A clock that was set back makes no time of less than nothing.
        if seconds > 0:
            series.sum += seconds

    def collect(self) -> Iterable[Metric]:
        from prometheus_client.core import HistogramMetricFamily
        from prometheus_client.utils import floatToGoString

        family = HistogramMetricFamily(self._name, self._words, labels=self._labels)
        bounds = [*map(floatToGoString, self._bounds), "+Inf"]
        for which, series in self._series.items():
            family.add_metric(which, list(zip(bounds, accumulate(series.counts), strict=True)), series.sum)
        return [family]
