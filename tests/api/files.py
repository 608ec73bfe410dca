"""Files behind addresses of this machine, for sends that name a media_url, and a taker of webhooks beside them."""

from __future__ import annotations

import struct
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def _png() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0")) + chunk(b"IEND", b"")


PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
PNG = _png()
# name: type as its server says, content.
FILES: dict[str, tuple[str, bytes]] = {
    "/menu.pdf": ("application/pdf", PDF),
    "/dish.png": ("image/png", PNG),
    "/clip.mp4": ("video/mp4", b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + b"\0" * 64),
    "/song.mp3": ("audio/mpeg", b"ID3\x04\0\0\0\0\0\0" + b"\xff\xfb\x90\0" * 64),
    "/wave.webp": ("image/webp", b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0"),
    "/page.html": ("text/html", b"<!doctype html><p>no file"),
    "/empty.pdf": ("application/pdf", b""),
}


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        kind, content = FILES.get(self.path.partition("?")[0], ("", b""))
        self.send_response(200 if kind else 404)
        self.send_header("Content-Type", kind or "text/plain")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_POST(self) -> None:
        """Takes whatever is posted, as a customer's program does with events."""
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        """Nobody reads it."""


@contextmanager
def file_server() -> Iterator[str]:
    """Address of a server on this machine that has `FILES` and takes every POST."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
