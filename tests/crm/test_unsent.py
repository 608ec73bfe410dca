"""Why somebody was not written to: reasons of campaigns, automations and shops in one list."""

from __future__ import annotations

import msgspec
import pytest

from tablegram.campaigns.model import Campaign, Plan, campaign_row
from tablegram.campaigns.store import campaigns as campaign_store
from tablegram.campaigns.store import sends as send_store
from tablegram.errors import Invalid, NotFound
from tablegram.flows.contacts.services import ContactServices
from tablegram.storage.database import Tx
from tablegram.stores.notifications import store as notice_store
from tablegram.stores.notifications.model import Notice, notice_row
from tests.automations.studio import Studio, studio
from tests.crm.pool import PHONE

SAY = {"do": "message", "text": "Hi {{first_name|friend}}"}


async def left_out(one: Studio, contact: str, at: int) -> None:
    """Two campaigns and a shop that left somebody out, all in the same moment."""

    async def work(tx: Tx) -> None:
        for number, (state, reason) in enumerate((("skipped", "capped"), ("holdout", ""), ("sent", ""))):
            campaign = Campaign(
                account_id=1, id=f"cam{number}", name=f"Brunch {number}", state="finished", reason="", segment_id="",
                instance_id=None, plan=Plan(), due_at=None, behind="", is_listed=True, total=1, starts_at=None,
                started_at=at, ended_at=at, settled_at=at, created_by="", created_at=at, updated_at=at,
            )  # fmt: skip
            await tx.run(campaign_store.INSERT, campaign_row(campaign))
            row = {
                "account_id": 1, "campaign_id": campaign.id, "contact_id": contact, "arm": 0, "state": state,
                "reason": reason, "due_at": None, "message_key": None, "code": None, "at": None, "replied_at": None,
                "opted_out_at": None, "updated_at": at,
            }  # fmt: skip
            await tx.many(send_store.ADD, [row])
        notice = Notice(
            account_id=1, id="n1", source_id="s1", reference="1", kind="shipping", number="#1001", phone=PHONE,
            state="skipped", reason="window_closed", created_at=at, updated_at=at,
        )  # fmt: skip
        await tx.run(notice_store.ADD, notice_row(notice))
        said = msgspec.structs.replace(notice, id="n2", reference="2", state="sent", reason="")
        await tx.run(notice_store.ADD, notice_row(said))

    await one.db.write(work)


async def test_every_decision_not_to_send_is_told_with_its_reason_the_newest_first(database_url: str) -> None:
    async with studio(database_url) as one:
        await one.make({"on": "first_message"}, SAY, SAY)
        contact = await one.guest(consent="unknown")
        await one.look()
        at = one.clock.now_ms()
        await left_out(one, contact, at)
        desk = one.house.product.of(ContactServices).unsent
        told = await desk.of_contact(one.owner, contact)
        reasons = [(row.source, row.name, row.kind, row.reason) for row in told.data]
        assert told.next_cursor is None
        assert sorted(reasons) == [
            ("automation", "Flow", "message", "no_consent"),
            ("automation", "Flow", "message", "no_consent"),
            ("campaign", "Brunch 0", "campaign", "capped"),
            ("campaign", "Brunch 1", "campaign", "holdout"),
            ("store_notice", "#1001", "shipping", "window_closed"),
        ]
        assert [row.at for row in told.data] == sorted((row.at for row in told.data), reverse=True)
        # Page by page nothing is shown twice or left out, also within one moment.
        paged, cursor = [], None
        for _ in range(9):
            page = await desk.of_contact(one.owner, contact, limit=1, cursor=cursor)
            paged += page.data
            if (cursor := page.next_cursor) is None:
                break
        assert paged == told.data
        for wanted, expected in (("holdout", ["campaign"]), ("no_consent", ["automation"] * 2), ("x", [])):
            found = await desk.of_contact(one.owner, contact, reason=wanted)
            assert [row.source for row in found.data] == expected
        assert [row.source_id for row in (await desk.of_contact(one.owner, contact, source="store_notice")).data] == [
            "n1"
        ]
        # Each source is for who may see it, and nobody else's contacts are told of.
        assert not (await desk.of_contact(one.house.caller("staff"), contact)).data
        with pytest.raises(NotFound):
            await desk.of_contact(one.house.caller("owner", 2), contact)
        with pytest.raises(Invalid):
            await desk.of_contact(one.owner, contact, cursor="e30")
