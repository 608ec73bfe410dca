"""What a document can be made into, under the names that transports and clients use."""

from __future__ import annotations

# ESC/POS has no name of its own among media types; agents and sockets take bytes.
ESCPOS = "application/octet-stream"
STARPRNT = "application/vnd.star.starprnt"
STAR_LINE = "application/vnd.star.line"
EPOS = "text/xml"
PNG = "image/png"
PLAIN = "text/plain"
HTML = "text/html"
