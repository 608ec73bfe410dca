"""What the API needs from the rest of the product, by area. The composition root fills it in."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.flows.areas import Areas
from tablegram.settings import Settings
from tablegram.storage.database import Database
from tablegram.values.clock import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiDeps(Areas):
    settings: Settings
    clock: Clock
    # The request log is written here.
    db: Database
