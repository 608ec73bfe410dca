"""Ports for what is started a moment later, and perhaps again."""

from __future__ import annotations

import random
import socket
from contextlib import closing
from pathlib import Path

# The system gives the ports of its own range to whoever calls out, at any moment: one of those does not stay free.
_RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")
_LOWEST = 12_000


def free_port() -> int:
    """A port on loopback that nobody has, and that nobody is given by chance until it is used."""
    below = int(_RANGE.read_text().split()[0]) if _RANGE.exists() else 32_768
    # Several runs beside each other begin at different places.
    for port in random.SystemRandom().sample(range(_LOWEST, max(below, _LOWEST + 10_000)), 200):
        with closing(socket.socket()) as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")
