"""What browsers are told of the way to us."""

from __future__ import annotations

# Of this host alone: what runs on its subdomains is not ours to decide.
_STRICT = (b"strict-transport-security", b"max-age=31536000")


def strict_transport(base_url: str) -> tuple[tuple[bytes, bytes], ...]:
    """The header that keeps a browser from ever asking without TLS again; none where we are reached without it."""
    return (_STRICT,) if base_url.startswith("https://") else ()
