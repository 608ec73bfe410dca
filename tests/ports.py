"""Ports for what is started a moment later, and perhaps again."""

from __future__ import annotations

import random
import socket
from pathlib import Path

# The system gives the ports of its own range to whoever calls out, at any moment: one of those does not stay free.
_RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")
_LOWEST = 12_000
# What was given out stays bound until this process ends, and never listens. So nobody else who looks for a port finds
# this one, in this run or in one beside it, while a server, which sets SO_REUSEADDR as all servers do, may listen on it.
_HELD: list[socket.socket] = []


def free_port() -> int:
    """A port on loopback that nobody has, and that nobody is given until this process ends."""
    below = int(_RANGE.read_text().split()[0]) if _RANGE.exists() else 32_768
    # Several runs beside each other begin at different places.
    for port in random.SystemRandom().sample(range(_LOWEST, max(below, _LOWEST + 10_000)), 200):
        if (held := hold(port)) is not None:
            _HELD.append(held)
            return port
    raise AssertionError("no port is free")


def hold(port: int) -> socket.socket | None:
    """The port, bound for whoever listens on it later; nothing where somebody has it."""
    held = socket.socket()
    try:
        held.bind(("127.0.0.1", port))
    except OSError:
        held.close()
        return None
    # Only now: before, it would have let us share a port that another run holds.
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    return held
