"""What the edges ask of everything that programs connect by."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.accounts.keys.bodies import Bodies
from tablegram.accounts.keys.calls import Calls
from tablegram.events.feed import Feed
from tablegram.flows.integrations.granting import Granting
from tablegram.flows.integrations.webhooks import Webhooks


@dataclass(frozen=True, slots=True, kw_only=True)
class IntegrationServices:
    webhooks: Webhooks
    feed: Feed
    granting: Granting
    calls: Calls
    bodies: Bodies
