"""A collector of traces on loopback, which also takes whatever is posted to it as an endpoint."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


@dataclass
class Collector:
    """What products sent to it: each span, and the process that it comes from."""

    url: str = ""
    told: list[tuple[int, Any]] = field(default_factory=list)

    def trace(self, trace_id: str) -> list[tuple[int, Any]]:
        return [(pid, span) for pid, span in self.told if span.trace_id.hex() == trace_id]

    @property
    def settings(self) -> dict[str, str]:
        # The second is the library's own: it gathers for seconds otherwise.
        return {"TABLEGRAM_TRACES_URL": f"{self.url}/v1/traces", "OTEL_BSP_SCHEDULE_DELAY": "200"}

    def take(self, body: bytes) -> None:
        for one in ExportTraceServiceRequest.FromString(body).resource_spans:
            (pid,) = [fact.value.int_value for fact in one.resource.attributes if fact.key == "process.pid"]
            self.told += [(pid, span) for scope in one.scope_spans for span in scope.spans]


@contextmanager
def collector() -> Iterator[Collector]:
    made = Collector()

    class Taking(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            if self.path == "/v1/traces":
                packed = self.headers.get("content-encoding") == "gzip"
                made.take(gzip.decompress(body) if packed else body)
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Taking) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        made.url = f"http://127.0.0.1:{server.server_address[1]}"
        try:
            yield made
        finally:
            server.shutdown()
