"""What the edges ask about automations."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.flows.automations.automation_desk import AutomationDesk
from tablegram.flows.automations.reporting import AutomationReporting
from tablegram.flows.automations.trying import Trials


@dataclass(frozen=True, slots=True, kw_only=True)
class AutomationServices:
    desk: AutomationDesk
    trials: Trials
    reporting: AutomationReporting
