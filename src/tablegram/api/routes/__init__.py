"""Every address of the API, by area. A handler parses, calls one thing, and renders; the parts declare them."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from litestar.handlers import HTTPRouteHandler


def routes_of(area: str, name: str = "HANDLERS") -> tuple[HTTPRouteHandler, ...]:
    """The addresses of an area, or of one module in it. They are loaded here: a server that nobody calls needs none."""
    return tuple(getattr(importlib.import_module(f"{__name__}.{area}"), name))
