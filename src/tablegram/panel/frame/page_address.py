"""The address under which a page can be opened again.

A form that was refused is answered with its page, under an address that only takes forms: searching, sorting or another
language from there must lead to the page itself.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from litestar import Litestar, Request
from litestar.routes import HTTPRoute

_HOME = "/panel/"
_PLACE = re.compile(r"\{[^}]*\}")


def page_address(request: Request[Any, Any, Any]) -> str:
    """The request's own path; for a form, the nearest one above it that shows a page."""
    path: str = request.scope["path"]
    shape = _shape(request.scope.get("path_template", ""))
    if request.method in ("GET", "HEAD") or not shape:
        return path
    path, known = path.rstrip("/"), _openable(request.app)
    while shape and shape not in known:
        shape, path = shape.rpartition("/")[0], path.rpartition("/")[0]
    return path if shape and path != "/panel" else _HOME


@cache
def _openable(app: Litestar) -> frozenset[str]:
    """The shapes of all addresses that can be opened, without the one that takes whatever leads nowhere."""
    routes = [route for route in app.routes if isinstance(route, HTTPRoute) and "GET" in route.methods]
    return frozenset(_shape(route.path_format) for route in routes if not route.path.endswith(":path}"))


def _shape(template: str) -> str:
    return _PLACE.sub("{}", template).rstrip("/")
