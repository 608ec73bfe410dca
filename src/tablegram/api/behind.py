"""What stands behind the handlers. A request brings it along, so that many APIs can share one framework."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tablegram.api.deps import ApiDeps
from tablegram.api.records.request_log import RequestLog

# Where handlers find it in the ASGI scope.
SCOPE_KEY = "tablegram.behind"


@dataclass(frozen=True, slots=True)
class Behind:
    deps: ApiDeps
    request_log: RequestLog
    openapi: Callable[[], dict[str, Any]]
