"""Spans hang below the request that a row names, whoever works on it; and there are none where nobody collects them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tablegram.values.watching import spans


@pytest.fixture
def collected() -> Iterator[InMemorySpanExporter]:
    exporter, provider = InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    spans.use(provider.get_tracer("tests"))
    yield exporter
    spans.use(None)
    provider.shutdown()


def test_what_a_row_carries_leads_later_spans_to_its_request(collected: InMemorySpanExporter) -> None:
    request = spans.begin("request", "", method="POST")
    kept = spans.carried("r-1", request)
    spans.end(request, status=200)
    spans.end(spans.begin("send", kept, kind="cloud"), failed="refused", outcome="refused")
    first, second = collected.get_finished_spans()
    assert second.parent is not None
    assert (second.context.trace_id, second.parent.span_id) == (first.context.trace_id, first.context.span_id)
    assert (first.parent, first.attributes) == (None, {"method": "POST", "status": 200})
    assert (second.attributes, second.status.description) == ({"kind": "cloud", "outcome": "refused"}, "refused")


@pytest.mark.parametrize("row", [None, "", "r-1", "r-1 00-nonsense"])
def test_a_row_of_an_untraced_request_begins_a_trace_of_its_own(
    collected: InMemorySpanExporter, row: str | None
) -> None:
    spans.end(spans.begin("deliver", row))
    (span,) = collected.get_finished_spans()
    assert span.parent is None


def test_there_is_none_where_nobody_collects_them() -> None:
    assert spans.begin("request", "") is None
    assert spans.carried("r-1", None) == "r-1"
    spans.end(None, status=200)
