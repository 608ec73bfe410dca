"""Traces of this process go to a collector, where the installation names one."""

from __future__ import annotations

import os
from importlib.util import find_spec
from socket import gethostname

from tablegram.errors import Misconfigured
from tablegram.settings import Settings
from tablegram.values.watching import spans
from tablegram.web.version import API_VERSION

# A collector that does not answer must not hold up the end of a process.
ANSWER_WITHIN_S = 2


def check(settings: Settings) -> None:
    """Before anything is started: refuse a setting that nothing can serve."""
    if settings.traces_url and not (find_spec("opentelemetry") and find_spec("opentelemetry.exporter")):
        raise Misconfigured(
            "TABLEGRAM_TRACES_URL needs a library that is not installed. Run: make traces; or leave it empty."
        )


def _who() -> dict[str, str | int]:
    """A trace goes through several processes: each says which one it is."""
    return {
        "service.name": "tablegram",
        "service.version": API_VERSION,
        "host.name": gethostname(),
        "process.pid": os.getpid(),
    }


def configure(settings: Settings) -> None:
    """In the process that serves, since what sends is a thread of its own."""
    if not settings.traces_url:
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased

    provider = TracerProvider(
        shutdown_on_exit=False,
        resource=Resource.create(_who()),
        sampler=ParentBased(TraceIdRatioBased(settings.traces_share)),
    )
    provider.add_span_processor(
        BatchSpanProcessor(OTLPSpanExporter(endpoint=settings.traces_url, timeout=ANSWER_WITHIN_S))
    )
    spans.use(provider.get_tracer("tablegram"), provider.shutdown)
