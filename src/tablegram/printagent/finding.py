"""Printers in the local network: who takes a connection on port 9100 in our own /24. Only when somebody asks for it."""

from __future__ import annotations

import ipaddress
import selectors
import socket
import time

from tablegram.printagent.devices.network import PORT

# All at once would look like an attack to some routers.
AT_ONCE = 64
ANSWER_S = 1.0


def own_address() -> str:
    """The address that this machine has in its network. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def neighbours(address: str) -> list[str]:
    """The other addresses of a private /24; none for an address of the internet, which is nobody's own."""
    try:
        parsed = ipaddress.IPv4Address(address)
    except ValueError:
        return []
    if not parsed.is_private or parsed.is_loopback or parsed.is_unspecified:
        return []
    network = ipaddress.IPv4Network((address, 24), strict=False)
    return [str(one) for one in network.hosts() if one != parsed]


def find(addresses: list[str], port: int = PORT, *, answer_s: float = ANSWER_S) -> list[str]:
    """Those of the addresses that take a connection."""
    found: list[str] = []
    for start in range(0, len(addresses), AT_ONCE):
        found += _try(addresses[start : start + AT_ONCE], port, answer_s)
    return found


def _try(addresses: list[str], port: int, answer_s: float) -> list[str]:
    found: list[str] = []
    waiting = selectors.DefaultSelector()
    try:
        for address in addresses:
            link = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            link.setblocking(False)
            link.connect_ex((address, port))
            waiting.register(link, selectors.EVENT_WRITE, (address, link))
        deadline = time.monotonic() + answer_s
        while waiting.get_map() and (left_s := deadline - time.monotonic()) > 0:
            for key, _ in waiting.select(left_s):
                address, link = key.data
                if link.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0:
                    found.append(address)
                waiting.unregister(link)
                link.close()
    finally:
        for key in list(waiting.get_map().values()):
            key.data[1].close()
        waiting.close()
    return sorted(found, key=ipaddress.IPv4Address)
