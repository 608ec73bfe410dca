"""The picture of a campaign: taken in, shown, and kept as long as it may still be sent."""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec

from tablegram.accounts.keys.keys import Caller
from tablegram.campaigns.model import Campaign, read_campaign
from tablegram.campaigns.store import campaigns as store
from tablegram.errors import Invalid, NotFound
from tablegram.flows.files.attachments import Attachments, make_lasting, release
from tablegram.flows.files.media import MediaLibrary, OpenedMedia
from tablegram.storage.database import Database, Tx


class CampaignPictures:
    def __init__(self, db: Database, attachments: Attachments, library: MediaLibrary) -> None:
        self._db = db
        self._attachments = attachments
        self._library = library

    async def keep(self, caller: Caller, chunks: AsyncIterator[bytes], filename: str, claim: str) -> str:
        """Take a picture in that a campaign is to have; its name for `image_id`."""
        kept = await self._attachments.keep(caller, chunks, filename, claim, "campaigns:manage")
        if kept.kind != "image":
            raise Invalid.field("picture", "picture_unusable", "Choose a JPEG or PNG of at most 5 MB.")
        return kept.id

    async def open(self, caller: Caller, campaign_id: str) -> OpenedMedia:
        caller.require("campaigns:read")
        row = await self._db.first(store.GET, {"b_account": caller.account_id, "b_id": campaign_id})
        image_id = "" if row is None else read_campaign(row).plan.image_id
        if not image_id:
            raise NotFound("This campaign has no picture of its own.", code="media_unknown")
        return await self._library.open(caller.account_id, image_id)


async def with_picture(tx: Tx, one: Campaign, before: str, now: int) -> Campaign:
    """Each campaign has its picture to itself. `before`: the one that it had until now."""
    wanted = one.plan.image_id
    if before == wanted:
        return one
    kept = await make_lasting(tx, one.account_id, wanted, now) if wanted else ""
    if before:
        await release(tx, one.account_id, before, now)
    return msgspec.structs.replace(one, plan=msgspec.structs.replace(one.plan, image_id=kept))
