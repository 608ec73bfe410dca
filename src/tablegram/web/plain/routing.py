"""What stands at which address of a page that does without the framework."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable

from tablegram.web.plain.exchange import Answer, Stream

Handler = Callable[..., Awaitable[Answer | Stream]]


class PatternTable:
    """Methods, the patterns of addresses, and who answers there; the first that fits does."""

    def __init__(self, routes: Iterable[tuple[str, str, Handler]]) -> None:
        self._routes = [(method, re.compile(pattern), handler) for method, pattern, handler in routes]

    def find(self, method: str, path: str) -> tuple[Handler, dict[str, str]] | list[str]:
        """The handler and what stands in the address; or the methods that would do, none for no such address."""
        wanted, others = "GET" if method == "HEAD" else method, []
        for known, pattern, handler in self._routes:
            found = pattern.fullmatch(path)
            if found is not None and known == wanted:
                return handler, found.groupdict()
            if found is not None:
                others.append(known)
        return others
