"""Which handler answers which address, and what it asks for: told before anything else is done."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING
from urllib.parse import unquote

from tablegram.errors import MethodNotAllowed, NotFound

if TYPE_CHECKING:
    from tablegram.api.exchange import Exchange
    from tablegram.flows.gateway.sending import KeptAnswer

BASE = "/api/v1"

# A slash inside a path segment (network ids may hold one, sent as %2F) travels as this private character.
INNER_SLASH = "\ue000"

_SHORT = re.compile(r"\{(\w+):\w+\}")

FastHandler = Callable[["Exchange"], Awaitable["KeptAnswer"]]


@dataclass(frozen=True, slots=True)
class Route:
    """One method of one address."""

    method: str
    template: str
    # Empty: any valid key will do.
    scope: str = ""
    public: bool = False
    # Whether a test key gets in; what it reaches behind the door is for the handler to say.
    test_keys: bool = False
    takes_body: bool = False
    # How large the file may be that is the body; zero: the body is no file.
    file_bytes: int = 0
    # Answers without the framework.
    fast: FastHandler | None = None

    @property
    def name(self) -> str:
        return f"{self.method} {self.template}"


class RouteTable:
    def __init__(self, routes: Iterable[Route]) -> None:
        self.routes = routes = tuple(routes)
        self._static: dict[str, dict[str, Route]] = {}
        # By the area and the number of segments: an address is held against the few that can be its own, all at once.
        self._dynamic: dict[tuple[str, int], tuple[re.Pattern[str], list[dict[str, Route]]]] = {}
        patterns: dict[str, dict[str, Route]] = {}
        for route in routes:
            table = self._static if "{" not in route.template else patterns
            table.setdefault(BASE + route.template, {})[route.method] = route
        for kind, (any_of, alike) in _matchers(tuple(patterns)).items():
            self._dynamic[kind] = any_of, [patterns[template] for template in alike]

    @cached_property
    def _templates(self) -> dict[tuple[str, str], Route]:
        return {(route.method, _SHORT.sub(r"{\1}", route.template)): route for route in self.routes}

    def template(self, method: str, template: str) -> Route:
        """By the address as documents write it: /messages/{message_id}"""
        return self._templates[(method, template)]

    def has(self, path: str, method: str) -> Route | None:
        """The route, when its address is a plain word and it is in this table."""
        methods = self._static.get(path)
        return None if methods is None else methods.get(method)

    def find(self, path: str, method: str) -> Route:
        """The route, or 404 for an unknown address and 405 for a known one that does not take this method."""
        methods = self._static.get(path)
        if methods is None:
            any_of, each = self._dynamic.get(_kind(path), (None, []))
            found = any_of.fullmatch(path) if any_of is not None else None
            methods = each[found.lastindex - 1] if found is not None and found.lastindex is not None else None
        if methods is None:
            raise NotFound(
                "There is nothing at this address. The addresses are listed at /api/v1/docs.", code="path_unknown"
            )
        route = methods.get(method)
        if route is None:
            # Whoever takes GET takes HEAD; it is answered before it comes here.
            allow = ", ".join(sorted({*methods, "HEAD"} if "GET" in methods else methods))
            raise MethodNotAllowed(f"This address takes {allow}, not {method}.", headers={"Allow": allow})
        return route


@cache
def _matchers(templates: tuple[str, ...]) -> dict[tuple[str, int], tuple[re.Pattern[str], list[str]]]:
    """For each kind of address what tells its templates apart. Built once in a process, because that takes long."""
    kinds: dict[tuple[str, int], list[str]] = {}
    for template in templates:
        kinds.setdefault(_kind(template), []).append(template)
    return {
        kind: (re.compile("|".join(f"({_pattern(template)})" for template in alike)), alike)
        for kind, alike in kinds.items()
    }


def _kind(path: str) -> tuple[str, int]:
    """The first segment below the base, which is a word in every template, and how many there are."""
    return path[len(BASE) + 1 :].partition("/")[0], path.count("/")


def _pattern(template: str) -> str:
    """`{name:int}` takes digits, `{name:str}` one segment without control characters."""
    kinds = {"int": "[1-9][0-9]{0,15}", "str": r"[^/\x00-\x1f\x7f-\x9f]+"}
    parts = re.split(r"(\{\w+:\w+\})", template)
    return "".join(kinds[part[1:-1].split(":")[1]] if part[:1] == "{" else re.escape(part) for part in parts)


def path_of(path: str, raw_path: bytes) -> str:
    """The decoded path, in which an encoded slash does not separate segments."""
    if b"%2" not in raw_path or b"%2f" not in raw_path.lower():
        return path
    return "/".join(unquote(part).replace("/", INNER_SLASH) for part in raw_path.decode("latin-1").split("/"))


def segment(value: str) -> str:
    """A path parameter as the caller wrote it."""
    return value.replace(INNER_SLASH, "/")
