"""A customer's server that can be broken and put right while a browser looks on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Customer:
    url: str = ""
    status: int = 200
    answer: str = "thank you"
    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


@contextmanager
def customer(status: int = 200, answer: str = "thank you") -> Iterator[Customer]:
    one = Customer(status=status, answer=answer)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            one.headers.append({name.lower(): value for name, value in self.headers.items()})
            one.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            words = one.answer.encode()
            self.send_response(one.status)
            self.send_header("Content-Length", str(len(words)))
            self.end_headers()
            self.wfile.write(words)

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    one.url = f"http://127.0.0.1:{server.server_port}/hook"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield one
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
