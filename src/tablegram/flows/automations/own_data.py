"""A person in automations: what an export shows, what an erasure leaves, and why they got nothing."""

from __future__ import annotations

from collections.abc import Mapping

from tablegram.automations.store import ratings, runs
from tablegram.crm.own_data.erasing import Erased, PersonToErase, Reach
from tablegram.crm.own_data.exports import Holding
from tablegram.crm.own_data.unsent import Asked, Silence, Unsent
from tablegram.engine.kept_answers import KeptAnswers
from tablegram.flows.automations.answers import ContactAutomation
from tablegram.storage.database import Tx
from tablegram.values.clock import Clock, iso

_ANSWERS = KeptAnswers([], below="POST /automations/")


async def _held(tx: Tx, account_id: int, contact_ids: list[str]) -> Mapping[str, list[ContactAutomation]]:
    found: dict[str, list[ContactAutomation]] = {}
    which = [{"b_account": account_id, "b_contact": one} for one in contact_ids]
    said = {row["run_id"]: row for row in await tx.gather(ratings.OF_CONTACT, which)}
    for row in await tx.gather(runs.OF_CONTACT, which):
        rating = said.get(row["id"])
        went = ContactAutomation(
            automation_id=row["automation_id"], occasion=row["occasion"], state=row["state"],
            started_at=iso(row["started_at"]), rating=None if rating is None else rating["rating"],
            comment="" if rating is None else rating["comment"],
        )  # fmt: skip
        found.setdefault(row["contact_id"], []).append(went)
    return found


HOLDING = Holding("automations", _held, {"automations": len}, scope="campaigns:read")


class AutomationReach(Reach):
    """Nobody goes on, and what they wrote goes. That somebody was there, and the figure they gave, stay, nobody's."""

    name = "automations"

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    async def finish(self, tx: Tx, person: PersonToErase, swept: Erased) -> Erased:
        await _ANSWERS.forget(tx, person.account_id, person.known_as)
        count = 0
        for contact_id in person.ids:
            which = {"b_account": person.account_id, "b_contact": contact_id}
            await tx.run(runs.LEAVE, {**which, "now": self._clock.now_ms()})
            count += await tx.run(runs.FORGET_RUNS, which)
            await tx.run(runs.FORGET_VISITS, which)
            await tx.run(ratings.FORGET, which)
        return Erased(count)


async def _unsent(tx: Tx, asked: Asked) -> list[Unsent]:
    return [
        Unsent(
            source_id=row["automation_id"], name=row["name"], kind=row["kind"], reason=row["reason"], at=row["at"],
            key=row["key"],
        )
        for row in await tx.all(runs.UNSENT, asked.params())
    ]  # fmt: skip


SILENCE = Silence("automation", _unsent, scope="campaigns:read")
