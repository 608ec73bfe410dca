"""Where a request comes from, as far as it can be believed."""

from __future__ import annotations

import ipaddress
from functools import lru_cache

from tablegram.settings import Network
from tablegram.web.asgi import Scope


class Addresses:
    """Tells the caller's address, through the proxies that the operator trusts and no others."""

    def __init__(self, trusted: tuple[Network, ...]) -> None:
        self._trusted = trusted
        self.is_trusted = lru_cache(maxsize=1_024)(self._looks_trusted)

    def of(self, scope: Scope) -> str:
        """The caller's address. Several fields of the proxies are one list, as if they stood in one."""
        return self.remote(peer_of(scope), b",".join(forwarded_by(scope)))

    def remote(self, peer: str, forwarded: bytes) -> str:
        """The same for who has read the fields already."""
        if not self._trusted or not forwarded or not self.is_trusted(peer):
            return peer
        # Each proxy adds what it saw at the end, so the first untrusted one from the right is the caller.
        address = peer
        for hop in reversed(forwarded.decode("latin-1").split(",")):
            hop = hop.strip()
            if _parse(hop) is None:
                return address
            address = hop
            if not self.is_trusted(hop):
                return address
        return address

    def _looks_trusted(self, text: str) -> bool:
        address = _parse(text)
        return address is not None and any(address in network for network in self._trusted)


def peer_of(scope: Scope) -> str:
    """Who is at the other end of the connection: the caller, or the last proxy before us."""
    client = scope.get("client")
    return client[0] if client else ""


def forwarded_by(scope: Scope) -> list[bytes]:
    return [value for name, value in scope["headers"] if name == b"x-forwarded-for"]


@lru_cache(maxsize=4_096)
def limit_key(address: str) -> str:
    """What the anonymous limit counts by: a whole /64 is one household in IPv6."""
    parsed = _parse(address)
    if isinstance(parsed, ipaddress.IPv6Address):
        return "ip:" + str(ipaddress.ip_network((parsed, 64), strict=False))
    return "ip:" + address


def _parse(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        parsed = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = getattr(parsed, "ipv4_mapped", None)
    return mapped or parsed
