"""The demo for a real phone in the same network: which address, and codes to scan in the terminal."""

from __future__ import annotations

import io
import ipaddress
import secrets
import socket
from dataclasses import replace
from urllib.parse import urlsplit

from tablegram.errors import Conflict
from tablegram.sandbox.holding import link
from tablegram.settings import Settings

# The address that would be used to get there; nothing is sent. The network is one that nobody has.
_FAR = ("192.0.2.1", 9)
AUTO = "auto"


def for_phones(settings: Settings, asked: str) -> tuple[Settings, str]:
    """The settings of a server that phones reach, and the address at which it listens beside its own."""
    address = own_address() if asked == AUTO else asked
    try:
        shown = f"[{address}]" if ipaddress.ip_address(address).version == 6 else address
    except ValueError:
        raise Conflict(f"{address!r} is not an address. Write LAN=1, or LAN=192.168.1.20.", code="no_network") from None
    return replace(
        settings,
        public_url=settings.public_url or f"http://{shown}:{settings.port}",
        # A new one at each start: what was scanned before does not open it.
        sandbox_token=settings.sandbox_token or secrets.token_urlsafe(18),
    ), address


def own_address() -> str:
    """This machine's address in its network."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(_FAR)
            address = str(probe.getsockname()[0])
    except OSError:
        address = ""
    if not address or ipaddress.ip_address(address).is_loopback:
        raise Conflict(
            "This machine is in no network. Join the phone's, or name the address: make run LAN=192.168.1.20",
            code="no_network",
        )
    return address


def phone_link(settings: Settings, phone: str) -> str:
    return link(settings.base_url, settings.sandbox_token, phone=phone)


def menu_link(settings: Settings, menu: str) -> str:
    """The menu, by a way that lets the same phone send its order afterwards."""
    return link(settings.base_url, settings.sandbox_token, menu=urlsplit(menu).query)


def code(text: str) -> list[str]:
    """A code to scan, in lines of a terminal."""
    import segno

    drawn = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(out=drawn, compact=True, border=2)
    return drawn.getvalue().splitlines()
