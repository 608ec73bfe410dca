"""Whom a campaign may write to now, and what its texts say of them: looked up in the transaction that queues the message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tablegram.automations.store import runs as automation_store
from tablegram.campaigns.filling import asked_for
from tablegram.campaigns.model import Language, Plan, Skipped
from tablegram.campaigns.store import sends as store
from tablegram.crm import contacts
from tablegram.crm.consent.asking import refusals
from tablegram.crm.rows import ContactRow
from tablegram.loyalty import listing, programme
from tablegram.restaurant.figures import keeping as figures
from tablegram.storage.database import Tx
from tablegram.values.clock import DAY_MS
from tablegram.values.figures.writing import number
from tablegram.values.texts.variables import names


@dataclass(frozen=True, slots=True)
class CampaignContact:
    id: str
    name: str
    phone: str
    # Empty: they may be written to.
    refusal: Skipped | None
    # What else a text says of them, by its variable.
    facts: Mapping[str, str] = field(default_factory=dict)

    @property
    def known(self) -> dict[str, str]:
        """What variables are filled in with."""
        return {**names(self.name), **self.facts}


async def look_up(
    tx: Tx, account_id: int, plan: Plan, line_kind: str, ids: Sequence[str], now: int, *, is_service: bool = False
) -> dict[str, CampaignContact]:
    """Everybody of these, with the reason where somebody is not to be written to.

    What campaigns and automations sent counts together. `is_service`: it is no advertising and needs no agreement; who
    has said no is left alone all the same.
    """
    known = await contacts.by_ids(tx, account_id, ids)
    refused = await refusals(tx, account_id, known, "marketing")
    if is_service:
        refused = {one: reason for one, reason in refused.items() if reason == "opted_out"}
    phones = await contacts.known_phones(tx, [(account_id, one) for one in known])
    told: dict[str, int] = {}
    if plan.cap_messages:
        since = now - plan.cap_days * DAY_MS
        which = [{"b_account": account_id, "b_contact": one, "since": since} for one in known]
        for query in (store.OF_CONTACT_SINCE, automation_store.OF_CONTACT_SINCE):
            for sent in await tx.gather(query, which):
                told[sent["contact_id"]] = told.get(sent["contact_id"], 0) + sent["n"]
    found: dict[str, CampaignContact] = {}
    for one in ids:
        row = known.get(one)
        phone = phones.get((account_id, one), "")
        refusal = _refusal(row, phone, refused.get(one), plan, line_kind, told.get(one, 0), now)
        found[one] = CampaignContact(one, "" if row is None else row["name"], phone, refusal)
    return found


def _refusal(
    row: ContactRow | None, phone: str, refused: Skipped | None, plan: Plan, line_kind: str, told: int, now: int
) -> Skipped | None:
    if row is None or row["merged_into"] is not None:
        return "gone"
    if not phone:
        return "no_phone"
    if refused is not None:
        return refused
    if plan.cap_messages and told >= plan.cap_messages:
        return "capped"
    # Beyond a day after the customer's last message the network takes nothing but templates.
    if line_kind == "cloud" and plan.kind != "template" and (row["window_until"] or 0) <= now:
        return "window_closed"
    return None


async def with_facts(
    tx: Tx, account_id: int, plan: Plan, people: dict[str, CampaignContact]
) -> dict[str, CampaignContact]:
    """The same people, with what the plan's texts ask for; who is not to be written to needs none of it."""
    asked = asked_for(plan)
    ids = [one.id for one in people.values() if one.refusal != "gone"]
    facts: dict[str, dict[str, str]] = {}
    if "points" in asked:
        facts["points"] = await _points(tx, account_id, ids, plan.language)
    if "last_item" in asked:
        facts["last_item"] = await figures.last_dishes(tx, account_id, ids, plan.language)
    if not facts:
        return people
    return {
        one.id: replace(one, facts={name: values.get(one.id, "") for name, values in facts.items()})
        for one in people.values()
    }


async def _points(tx: Tx, account_id: int, ids: Sequence[str], language: Language) -> dict[str, str]:
    """What somebody can spend: nothing of who has none, or while the programme is off."""
    if not (await programme.find(tx, account_id)).is_on:
        return {}
    found = await listing.balances(tx, account_id, ids)
    return {one: number(language, points) for one, points in found.items() if points > 0}
