"""A campaign before it begins: how it looks, what it would come to, and a test on one's own phone."""

from __future__ import annotations

from collections.abc import Mapping

from tablegram.accounts.keys.keys import Caller
from tablegram.accounts.money.rate_card import RateCard
from tablegram.campaigns.audience import Audience
from tablegram.campaigns.checking import change, check_ready
from tablegram.campaigns.fields import CampaignFields
from tablegram.campaigns.model import HOLDOUT, Campaign, Language, Plan
from tablegram.campaigns.segments.keeping import MAX_SEGMENTS
from tablegram.campaigns.segments.store import saved as segment_store
from tablegram.campaigns.splitting import arm_of
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Conflict, Invalid, QuotaExhausted, no_such
from tablegram.flows.campaigns.answers import (
    CampaignEstimate,
    CampaignPreview,
    CampaignRefusal,
    CampaignTestSent,
    CampaignText,
)
from tablegram.flows.campaigns.campaign_desk import MANAGE, READ, find
from tablegram.flows.campaigns.message.templates import CampaignTemplates, categories, check
from tablegram.flows.campaigns.message.wording import Wording
from tablegram.flows.campaigns.people import look_up, with_facts
from tablegram.flows.campaigns.sender import line_of, own_file, picture_of
from tablegram.flows.gateway.queueing import Queueing, Way
from tablegram.messaging.model import Buttons, Media, Template, words_of
from tablegram.messaging.rows.lines import LineRow
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock
from tablegram.values.ids import GATEWAY_PREFIX
from tablegram.values.phone import calling_code
from tablegram.values.texts.variables import names
from tablegram.values.words import Words

# So many contacts are looked at one by one; what they come to stands for the rest.
LOOKED_AT = 2_000
_PIECE = 500
# Segments that are offered with their number; a longer list is no choice any more.
COUNTED = 20
_WORDS = Words(__file__)


def invented(language: Language) -> dict[str, str]:
    """What is known of a customer whom nobody knows."""
    words = _WORDS.of(language)
    return {**names(words["invented"]), "points": "120", "last_item": words["invented_dish"]}


class Trying:
    def __init__(
        self, db: Database, idempotency: Idempotency, clock: Clock, card: RateCard, queue: Queueing, base_url: str,
        audience: Audience, templates: CampaignTemplates,
    ) -> None:  # fmt: skip
        self._db = db
        self._idempotency = idempotency
        self._clock = clock
        self._card = card
        self._queue = queue
        self._base_url = base_url
        self._audience = audience
        self._templates = templates

    async def preview(self, caller: Caller, campaign_id: str, contact_id: str, call: Call) -> Result[CampaignPreview]:
        """How it looks for a contact, or for an invented customer."""
        caller.require(READ)
        if contact_id:
            caller.require("contacts:read")

        async def work(tx: Tx) -> Result[CampaignPreview]:
            one = await find(tx, caller.account_id, campaign_id)
            line = await line_of(tx, one.account_id, one.instance_id)
            kind = "sandbox" if line is None else str(line["kind"])
            known, refused = invented(one.plan.language), ""
            if contact_id:
                now = self._clock.now_ms()
                people = await look_up(tx, one.account_id, one.plan, kind, [contact_id], now)
                person = (await with_facts(tx, one.account_id, one.plan, people))[contact_id]
                if person.refusal == "gone":
                    raise Invalid.field("contact_id", "contact_unknown", no_such("contact"))
                known, refused = person.known, person.refusal or ""
            return Result(CampaignPreview(contact_id=contact_id, refused=refused, texts=_texts(one.plan, kind, known)))

        return await self._idempotency.once_for(CampaignPreview, caller.account_id, call, work)

    async def look(self, caller: Caller, fields: CampaignFields) -> list[CampaignText]:
        """How words that are no draft yet look for an invented customer."""
        caller.require(READ)
        plan = change(Plan(), fields)
        line = await self._db.snapshot(lambda tx: line_of(tx, caller.account_id, fields.get("instance_id")))
        return _texts(plan, "sandbox" if line is None else str(line["kind"]), invented(plan.language))

    async def audiences(self, caller: Caller, chosen: str = "") -> list[tuple[str, str, int]]:
        """Whom a campaign may be for: everybody, whose id and name are empty, then segments; each with its number."""
        caller.require(READ)
        account = caller.account_id

        async def work(tx: Tx) -> list[tuple[str, str, int]]:
            rows = await tx.all(segment_store.PAGE, {"b_account": account, "after": "", "most": MAX_SEGMENTS})
            rows = [row for place, row in enumerate(rows) if place < COUNTED or row["id"] == chosen]
            found = [("", ""), *((row["id"], row["name"]) for row in rows)]
            return [(one, name, await self._audience.count(tx, account, one)) for one, name in found]

        return await self._db.snapshot(work)

    async def estimate(self, caller: Caller, campaign_id: str) -> CampaignEstimate:
        """Whom it would reach now, and what that would cost."""
        caller.require(READ)

        async def work(tx: Tx) -> CampaignEstimate:
            one = await find(tx, caller.account_id, campaign_id)
            return await self._estimate(tx, one, await line_of(tx, one.account_id, one.instance_id))

        return await self._db.snapshot(work)

    async def _estimate(self, tx: Tx, one: Campaign, line: LineRow | None) -> CampaignEstimate:
        now, kind = self._clock.now_ms(), "sandbox" if line is None else str(line["kind"])
        total = await self._audience.count(tx, one.account_id, one.segment_id)
        # As it is charged: free words go to who wrote within a day, as a part of that conversation.
        rates = await categories(tx, one, line)
        refused: dict[str, int] = {}
        looked = reachable = holdout = cost = 0
        after = ""
        while looked < LOOKED_AT:
            ids = await self._audience.page(tx, one.account_id, one.segment_id, after, _PIECE)
            people = await look_up(tx, one.account_id, one.plan, kind, ids, now)
            for person in people.values():
                if person.refusal is not None:
                    refused[person.refusal] = refused.get(person.refusal, 0) + 1
                    continue
                arm = arm_of(one.id, person.id, one.plan.holdout_percent, one.plan.arms)
                if arm == HOLDOUT:
                    holdout += 1
                else:
                    reachable += 1
                    cost += self._card.price_micros(kind, calling_code(person.phone), rates[arm], now)
            looked += len(ids)
            if len(ids) < _PIECE:
                break
            after = ids[-1]
        share = total / looked if looked and total > looked else 1.0
        pace = one.plan.pace_per_min
        return CampaignEstimate(
            audience=total,
            reachable=round(reachable * share),
            holdout=round(holdout * share),
            refused=[
                CampaignRefusal(reason=reason, contacts=round(n * share)) for reason, n in sorted(refused.items())
            ],
            is_exact=share == 1.0,
            cost_usd=round(cost * share) / 1_000_000,
            minutes=-(-round(reachable * share) // pace) if pace else None,
        )

    async def test(self, caller: Caller, campaign_id: str, phone: str, call: Call) -> Result[CampaignTestSent]:
        """Send each of the texts to a number of one's own. It is in no ledger, and counts for nobody's limit."""
        caller.require(MANAGE)
        caller.require("messages:send")
        lines: list[int] = []
        unasked = await self._templates.ask(caller.account_id, lambda tx: find(tx, caller.account_id, campaign_id))

        async def work(tx: Tx) -> Result[CampaignTestSent]:
            one = await find(tx, caller.account_id, campaign_id)
            check_ready(one.plan)
            line = await line_of(tx, one.account_id, one.instance_id)
            if line is None:
                raise Conflict("There is no line to send from. Add one first.", code="campaign_line_missing")
            await check(tx, one, line, unasked)
            wording = Wording(one.plan, line["kind"], picture=await picture_of(tx, one))
            way = Way(one.account_id, line["id"], line["kind"])
            now, keys = self._clock.now_ms(), []
            for arm in range(one.plan.arms):
                content = wording.content(arm, invented(one.plan.language))
                key = await self._queue.put(
                    tx,
                    way,
                    phone,
                    content,
                    now,
                    by="campaign_test",
                    category="marketing",
                    media_id=own_file(one, content),
                )
                if key is None:
                    raise QuotaExhausted("The balance does not cover this message. Top up the account and try again.")
                keys.append(GATEWAY_PREFIX + key)
            lines[:] = [line["id"]]
            return Result(CampaignTestSent(message_ids=keys), 202)

        done = await self._idempotency.once_for(CampaignTestSent, caller.account_id, call, work)
        for line_id in lines:
            self._queue.wake(caller.account_id, line_id)
        return done


def _texts(one: Plan, kind: str, known: Mapping[str, str]) -> list[CampaignText]:
    # Which picture it is makes no difference to the words.
    wording = Wording(one, kind, picture=Media("image", "", False) if one.image_id else None)
    shown = []
    for arm in range(one.arms):
        content = wording.content(arm, known)
        buttons = [button.title for button in content.buttons] if isinstance(content, Buttons) else []
        shown.append(
            CampaignText(
                text_number=arm + 1, text=words_of(content), buttons=buttons, values=wording.values(arm, known),
                has_picture=isinstance(content, Media),
                template_language=content.language if isinstance(content, Template) else "",
            )
        )  # fmt: skip
    return shown
