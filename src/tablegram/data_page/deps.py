"""What the page of a person's own data needs from the rest of the product. The composition root fills it in."""

from __future__ import annotations

from dataclasses import dataclass, field

from tablegram.flows.contacts.consents.data_rights import DataRights
from tablegram.settings import Settings
from tablegram.web.limits import Limiter


@dataclass(frozen=True, slots=True, kw_only=True)
class DataPageDeps:
    settings: Settings
    rights: DataRights
    limiter: Limiter = field(default_factory=Limiter)
