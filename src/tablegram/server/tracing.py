"""Traces of this process go to a collector, where the installation names one."""

from __future__ import annotations

from tablegram.errors import Misconfigured
from tablegram.settings import Settings
from tablegram.values.watching import spans
from tablegram.web.version import API_VERSION


def configure(settings: Settings) -> None:
    """Nothing without TRACES_URL. What was collected is sent in the background, and at the end of the process."""
    if not settings.traces_url:
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
        from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
    except ImportError:
        raise Misconfigured(
            "TABLEGRAM_TRACES_URL needs a library that is not installed. Run: make traces; or leave it empty."
        ) from None
    provider = TracerProvider(
        resource=Resource.create({"service.name": "tablegram", "service.version": API_VERSION}),
        sampler=ParentBased(TraceIdRatioBased(settings.traces_share)),
    )
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=settings.traces_url)))
    spans.use(provider.get_tracer("tablegram"))
