"""What a text says of each customer beside the name: looked up only where it asks for it, for many at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tablegram.campaigns.filling import asked_for
from tablegram.campaigns.model import Language, Plan
from tablegram.flows.campaigns.people import Person
from tablegram.loyalty import listing, programme
from tablegram.restaurant.figures import keeping as figures
from tablegram.storage.database import Tx
from tablegram.values.figures.writing import number


async def with_facts(tx: Tx, account_id: int, plan: Plan, people: dict[str, Person]) -> dict[str, Person]:
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
