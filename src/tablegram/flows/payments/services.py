"""What the edges ask of payments."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.flows.payments.link_desk import LinkDesk
from tablegram.flows.payments.provider_desk import ProviderDesk
from tablegram.flows.payments.trial import TrialDesk


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentServices:
    links: LinkDesk
    providers: ProviderDesk
    trials: TrialDesk
