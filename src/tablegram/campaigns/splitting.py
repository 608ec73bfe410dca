"""Who gets which text, and who is left out to compare with: by a digest, so that it is the same whenever it is asked."""

from __future__ import annotations

import hashlib

from tablegram.campaigns.model import HOLDOUT


def arm_of(campaign_id: str, contact_id: str, holdout_percent: int, arms: int) -> int:
    digest = hashlib.blake2b(f"{campaign_id}:{contact_id}".encode(), digest_size=16).digest()
    if int.from_bytes(digest[:8]) % 10_000 < holdout_percent * 100:
        return HOLDOUT
    return int.from_bytes(digest[8:]) % arms
