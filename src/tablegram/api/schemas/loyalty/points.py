"""Bodies of the calls about the programme and its points."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.fields import line
from tablegram.flows.loyalty.answers.rewards import LoyaltyRate, PointMonths, WarnDays, WarnTemplates


class UpdateLoyaltyProgramme(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; absent fields stay as they are."""

    is_on: bool | UnsetType = UNSET
    rates: Annotated[list[LoyaltyRate], Meta(max_length=10)] | UnsetType = UNSET
    expires_months: PointMonths | UnsetType = UNSET
    warn_days: WarnDays | UnsetType = UNSET
    warn_templates: WarnTemplates | UnsetType = UNSET


class AdjustPoints(Struct, kw_only=True, forbid_unknown_fields=True):
    """Points that somebody gives or takes."""

    points: Annotated[
        int,
        Meta(
            ge=-1_000_000_000, le=1_000_000_000, description="Negative takes; never more than are there.", examples=[50]
        ),
    ]
    reason: Annotated[str, line(200, "Why; it is shown beside the points.", "Sorry for the long wait")]
