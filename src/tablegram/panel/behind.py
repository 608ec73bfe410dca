"""What stands behind the pages. A request brings it along, so that many panels can share one framework."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tablegram.panel.deps import PanelDeps
from tablegram.web.addresses import Addresses
from tablegram.web.forms import FormReader

if TYPE_CHECKING:
    from tablegram.panel.pace import PagePace

# Where handlers find it in the ASGI scope.
SCOPE_KEY = "tablegram.behind"


@dataclass(frozen=True, slots=True)
class Behind:
    deps: PanelDeps
    addresses: Addresses
    forms: FormReader
    pace: PagePace


def behind(connection: Any) -> Behind:
    found: Behind = connection.scope[SCOPE_KEY]
    return found


def deps_of(connection: Any) -> PanelDeps:
    return behind(connection).deps
