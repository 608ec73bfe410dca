"""What the doctor finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: what, how it is, and in plain words what to do."""

    about: str
    level: Literal["ok", "warn", "bad"]
    words: str
