"""What the edges ask about campaigns."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.flows.campaigns.campaign_desk import CampaignDesk
from tablegram.flows.campaigns.message.pictures import CampaignPictures
from tablegram.flows.campaigns.reporting import Reporting
from tablegram.flows.campaigns.trying import Trying


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignServices:
    desk: CampaignDesk
    trying: Trying
    reporting: Reporting
    pictures: CampaignPictures
