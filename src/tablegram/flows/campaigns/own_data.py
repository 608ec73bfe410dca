"""A person in campaigns: what an export shows, what an erasure leaves, and why they got nothing."""

from __future__ import annotations

from collections.abc import Mapping

from tablegram.campaigns.store import links, sends
from tablegram.crm.own_data.erasing import Erased, PersonToErase, Reach
from tablegram.crm.own_data.exports import Holding
from tablegram.crm.own_data.unsent import Asked, Silence, Unsent
from tablegram.flows.campaigns.answers import ContactCampaign, FollowedLink
from tablegram.storage.database import Tx
from tablegram.values.clock import iso


async def _held(tx: Tx, account_id: int, contact_ids: list[str]) -> Mapping[str, list[ContactCampaign]]:
    found: dict[str, list[ContactCampaign]] = {}
    which = [{"b_account": account_id, "b_contact": one} for one in contact_ids]
    followed: dict[tuple[str, str], list[FollowedLink]] = {}
    for click in await tx.gather(links.OF_CONTACT, which):
        shown = FollowedLink(url=click["url"], clicks=click["clicks"], last_at=iso(click["last_at"]))
        followed.setdefault((click["contact_id"], click["campaign_id"]), []).append(shown)
    for row in await tx.gather(sends.OF_CONTACT, which):
        part = ContactCampaign(
            campaign_id=row["campaign_id"], state=row["state"], reason=row["reason"].partition(":")[0],
            queued_at=iso(row["at"]), replied_at=iso(row["replied_at"]), opted_out_at=iso(row["opted_out_at"]),
            links=followed.get((row["contact_id"], row["campaign_id"]), []),
        )  # fmt: skip
        found.setdefault(row["contact_id"], []).append(part)
    return found


HOLDING = Holding("campaigns", _held, {"campaigns": len}, scope="campaigns:read")


class CampaignReach(Reach):
    """What waits is not sent any more, and no link leads to them. That somebody was written to stays, nobody's."""

    name = "campaigns"

    async def finish(self, tx: Tx, person: PersonToErase, swept: Erased) -> Erased:
        count = 0
        for contact_id in person.ids:
            which = {"b_account": person.account_id, "b_contact": contact_id}
            await tx.run(sends.LEAVE, which)
            count += await tx.run(sends.FORGET, which)
            await tx.run(links.FORGET, which)
        return Erased(count)


async def _unsent(tx: Tx, asked: Asked) -> list[Unsent]:
    return [
        Unsent(
            source_id=row["campaign_id"], name=row["name"], kind="campaign", at=row["updated_at"],
            reason="holdout" if row["state"] == "holdout" else row["reason"], key=row["campaign_id"],
        )
        for row in await tx.all(sends.UNSENT, asked.params())
    ]  # fmt: skip


SILENCE = Silence("campaign", _unsent, scope="campaigns:read")
