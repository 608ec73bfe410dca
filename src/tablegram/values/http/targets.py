"""Which addresses outgoing calls may reach, told from the text of a URL and from an IP address."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from functools import lru_cache

from yarl import URL

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

MAX_URL_CHARS = 2_048
TLS_PORTS = (443, 8443)

# Spelled out rather than left to `ipaddress.is_global`, whose answers differ between versions of Python.
_FORBIDDEN_V4 = tuple(
    (ipaddress.IPv4Network(network), name)
    for network, name in (
        ("0.0.0.0/8", "an address of this network"),
        ("10.0.0.0/8", "a private address"),
        ("100.64.0.0/10", "a carrier's shared address"),
        ("127.0.0.0/8", "a loopback address"),
        ("168.63.129.16/32", "a cloud metadata address"),
        ("169.254.0.0/16", "a link-local or metadata address"),
        ("172.16.0.0/12", "a private address"),
        ("192.0.0.0/24", "a reserved address"),
        ("192.0.2.0/24", "a documentation address"),
        ("192.88.99.0/24", "a relay address"),
        ("192.168.0.0/16", "a private address"),
        ("198.18.0.0/15", "a benchmarking address"),
        ("198.51.100.0/24", "a documentation address"),
        ("203.0.113.0/24", "a documentation address"),
        ("224.0.0.0/4", "a multicast address"),
        ("240.0.0.0/4", "a reserved address"),
    )
)
_GLOBAL_V6 = ipaddress.IPv6Network("2000::/3")
_FORBIDDEN_V6 = tuple(
    (ipaddress.IPv6Network(network), name)
    for network, name in (
        ("::1/128", "a loopback address"),
        ("::ffff:0:0/96", "an address with an embedded IPv4 address"),
        ("::ffff:0:0:0/96", "an address with an embedded IPv4 address"),
        ("::/96", "an address with an embedded IPv4 address"),
        ("64:ff9b::/96", "an address with an embedded IPv4 address"),
        ("64:ff9b:1::/48", "an address with an embedded IPv4 address"),
        ("2001::/32", "an address with an embedded IPv4 address"),
        ("2001::/23", "a reserved address"),
        ("2001:db8::/32", "a documentation address"),
        ("2002::/16", "an address with an embedded IPv4 address"),
        ("3fff::/20", "a documentation address"),
        ("fc00::/7", "a private address"),
        ("fe80::/10", "a link-local address"),
        ("fec0::/10", "a private address"),
        ("ff00::/8", "a multicast address"),
    )
)
# Interface ids of the ISATAP form carry an IPv4 address under any prefix.
_ISATAP = (0x00005EFE, 0x02005EFE)

_LOCAL_SUFFIXES = (".localhost", ".local", ".internal", ".localdomain", ".home.arpa", ".lan", ".intranet", ".private")
_NAME = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?", re.ASCII)
# A last label like this makes resolvers read the whole host as a number, in any of its old spellings.
_NUMERIC_LABEL = re.compile(r"[0-9]+|0x[0-9a-f]*", re.ASCII)
_QUAD = re.compile(r"(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\.(?!$)|$)){4}", re.ASCII)


class OutboundError(Exception):
    """A call to an address that a user chose did not work."""


class TargetForbidden(OutboundError):
    """The address may not be called. `reason` completes the sentence "it may not be called: …"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class ParsedTarget:
    """A URL that passed the first look. `address` is set when its host is a literal address."""

    url: URL
    host: str
    port: int
    address: Address | None


class Targets:
    """The rules of one installation; `allowed_private` are the networks its operator opened."""

    def __init__(self, allowed_private: tuple[Network, ...] = ()) -> None:
        self._listed = allowed_private
        loopback = ipaddress.IPv4Address("127.0.0.1")
        # `localhost` answers with both loopback addresses; who opened one meant this machine.
        if any(loopback in network for network in allowed_private):
            self._listed += (ipaddress.IPv6Network("::1/128"),)

    def check_url(self, text: str) -> ParsedTarget:
        """The parsed target, or `TargetForbidden` for all that the text alone gives away."""
        url = _parse(text)
        host, port = url.raw_host or "", url.port or 0
        if host.endswith("."):
            raise TargetForbidden("its host ends in a dot")
        address = _literal(host)
        if address is not None:
            self._check_literal(address, url.scheme, port)
        else:
            self._check_name(host, url.scheme, port)
        return ParsedTarget(url, host, port, address)

    def check_address(self, text: str, *, host: str, port: int) -> None:
        """Refuse an address that `host` resolved to. Called for each answer, right before it is dialled."""
        address = _address(text)
        if self._is_listed(address):
            return
        name = _forbidden(address)
        if name is not None:
            raise TargetForbidden(f"it leads to {name}")
        if port not in TLS_PORTS or (_literal(host) is None and _is_local_name(host)):
            raise TargetForbidden("only networks that the operator has listed are called in this way")

    def is_public(self, text: str) -> bool:
        return _forbidden(_address(text)) is None

    def _check_literal(self, address: Address, scheme: str, port: int) -> None:
        if self._is_listed(address):
            return
        name = _forbidden(address)
        if name is not None:
            raise TargetForbidden(f"its host is {name}")
        _check_secure(scheme, port)

    def _check_name(self, host: str, scheme: str, port: int) -> None:
        if len(host) > 253 or _NAME.fullmatch(host) is None:
            raise TargetForbidden("its host is not a valid name")
        if not self._listed:
            _check_secure(scheme, port)
            if _is_local_name(host):
                raise TargetForbidden("its host is a name of a local network")
        elif scheme == "http" and port in TLS_PORTS:
            # The look at the dialled address knows the port and not the scheme, so this pair could slip through it.
            raise TargetForbidden("plain http cannot be used on a port of https")

    def _is_listed(self, address: Address) -> bool:
        return any(address in network for network in self._listed)


def _parse(text: str) -> URL:
    if not text or len(text) > MAX_URL_CHARS:
        raise TargetForbidden(f"it must have 1 to {MAX_URL_CHARS} characters")
    if any(sign <= " " or sign == "\\" or "\x7f" <= sign <= "\xa0" or sign.isspace() for sign in text):
        raise TargetForbidden("it contains a space, a control character or a backslash")
    if "#" in text:
        raise TargetForbidden("it has a fragment (#…)")
    scheme, separator, rest = text.partition("://")
    if not separator or scheme.lower() not in ("http", "https"):
        raise TargetForbidden("it must start with https://")
    authority = re.split(r"[/?]", rest, maxsplit=1)[0]
    if "@" in authority:
        raise TargetForbidden("it carries credentials")
    try:
        url = URL(text)
        port = url.port
    except ValueError:
        raise TargetForbidden("it is not a valid URL") from None
    if not url.raw_host or ("[" in authority and ":" not in url.raw_host):
        raise TargetForbidden("it has no valid host")
    if not port or url.raw_user is not None or url.raw_password is not None:
        raise TargetForbidden("it is not a valid URL")
    return url


def _literal(host: str) -> Address | None:
    """The address that a host is, nothing for a name, and a refusal for any other spelling of an address."""
    if ":" in host:
        return _address(host)
    if _NUMERIC_LABEL.fullmatch(host.rpartition(".")[2]) is None:
        return None
    if _QUAD.fullmatch(host) is None:
        raise TargetForbidden("its host is an IPv4 address in an unusual spelling")
    return ipaddress.IPv4Address(host)


def _address(text: str) -> Address:
    try:
        if "%" in text:
            raise ValueError("zone")
        return ipaddress.ip_address(text)
    except ValueError:
        raise TargetForbidden("its host is not a valid address") from None


def _check_secure(scheme: str, port: int) -> None:
    if scheme != "https":
        raise TargetForbidden("it must start with https://")
    if port not in TLS_PORTS:
        raise TargetForbidden("its port must be 443 or 8443")


def _is_local_name(host: str) -> bool:
    return "." not in host or host.endswith(_LOCAL_SUFFIXES)


@lru_cache(maxsize=4_096)
def _forbidden(address: Address) -> str | None:
    """What kind of address it is when the internet at large cannot or must not reach it."""
    if isinstance(address, ipaddress.IPv4Address):
        for network4, name in _FORBIDDEN_V4:
            if address in network4:
                return name
        return None
    for network6, name in _FORBIDDEN_V6:
        if address in network6:
            return name
    if address not in _GLOBAL_V6:
        return "a reserved address"
    if (int(address) >> 32) & 0xFFFFFFFF in _ISATAP:
        return "an address with an embedded IPv4 address"
    return None
