"""Spans of OpenTelemetry: one trace from a request to the endpoint that hears of it, where somebody collects traces.

What a row carries of its request (`trail`) then names the span of that request too: `ID TRACEPARENT`. Spans of whatever
happens to the row later, in any process, hang below it. Off, which is usual, a span is one look whether it is on; nothing
of the library is loaded.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

_tracer: Tracer | None = None
_send_rest: Callable[[], None] | None = None


def use(tracer: Tracer | None, send_rest: Callable[[], None] | None = None) -> None:
    """From now on spans are made by this tracer; by none, there are none. `send_rest` ends it."""
    global _tracer, _send_rest
    _tracer, _send_rest = tracer, send_rest


async def finish() -> None:
    """The process ends: what was collected and not sent yet is sent."""
    if _send_rest is not None:
        await asyncio.to_thread(_send_rest)


def begin(name: str, trace: str | None, **facts: Any) -> Span | None:
    """A span below the request that a row names. Facts are ids and kinds: no number, no word that somebody wrote."""
    if _tracer is None:
        return None
    from opentelemetry.trace import SpanKind

    kind = SpanKind.SERVER if name == "request" else SpanKind.CLIENT
    return _tracer.start_span(name, context=_context(trace), kind=kind, attributes=facts)


def end(span: Span | None, *, failed: str = "", **facts: Any) -> None:
    """`failed` says in a word what went wrong."""
    if span is None:
        return
    for name, value in facts.items():
        span.set_attribute(name, value)
    if failed:
        from opentelemetry.trace import Status, StatusCode

        span.set_status(Status(StatusCode.ERROR, failed))
    span.end()


def carried(request_id: str, span: Span | None) -> str:
    """What a row is to carry: the id of the request, and its span if it has one that is collected."""
    context = None if span is None else span.get_span_context()
    if context is None or not context.is_valid:
        return request_id
    return f"{request_id} 00-{context.trace_id:032x}-{context.span_id:016x}-{context.trace_flags:02x}"


def _context(trace: str | None) -> Any:
    from opentelemetry.context import Context
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    parent = (trace or "").rpartition(" ")[2]
    # A context of its own: what else runs in this task is no parent of it.
    return TraceContextTextMapPropagator().extract({"traceparent": parent}, context=Context())
