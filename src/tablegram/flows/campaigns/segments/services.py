"""What the edges ask of segments."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.campaigns.audience import Audience
from tablegram.flows.campaigns.segments.editing import Editor
from tablegram.flows.campaigns.segments.ready import ReadyMade
from tablegram.flows.campaigns.segments.segments import Segments


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentServices:
    segments: Segments
    audience: Audience
    editor: Editor
    ready: ReadyMade
