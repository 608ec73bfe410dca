"""The OpenAPI document as the product draws it, for who needs no product beside it."""

from __future__ import annotations

from functools import cache
from typing import Any

from tablegram.api.documents.openapi import build
from tablegram.api.framework import framework, route_table
from tablegram.settings import Settings
from tests.opened_product import HANDLERS


@cache
def document() -> dict[str, Any]:
    """Drawn once in a process: it takes most of a second."""
    return build(framework(HANDLERS), route_table(HANDLERS, {}), Settings())
