"""Guests say how it was: by a tap or a number. A low figure reaches the house, a high one is asked to tell others."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from tablegram.automations import keeping
from tablegram.automations.interests import Interests
from tablegram.automations.model import Definition, FeedbackStep, Rating, read_rating, read_run
from tablegram.automations.ratings import ASKED_MS, COMMENT_MS, MAX_COMMENT, read_figure
from tablegram.automations.store import ratings as store
from tablegram.automations.store import runs as run_store
from tablegram.crm.merging import find_living
from tablegram.events.planning import Planner, Statement
from tablegram.flows.automations import speaking
from tablegram.flows.automations.speaking import RATE
from tablegram.flows.automations.stepping import Scene, Stepping, set_scene
from tablegram.flows.automations.words import speak
from tablegram.flows.contacts.consents.hearing import is_asked
from tablegram.flows.gateway.answering import CONSENT, Answered, Heard, Written
from tablegram.messaging.incoming import InboundMessage
from tablegram.messaging.model import Text
from tablegram.restaurant import venues
from tablegram.storage.database import Tx
from tablegram.values.clock import SECOND_MS, Clock

RECEIVED, COMMENTED = "feedback.received", "feedback.commented"
_TAPPED = re.compile(rf"{RATE}:([0-9A-Za-z]{{1,40}}):([1-5])")

Told = Callable[[int, str], None]


def _tapped(item: InboundMessage) -> tuple[str, int] | None:
    """The run and the figure that a row of a list carries."""
    given = item.body.get("id") if item.type in ("list", "button") and isinstance(item.body, dict) else None
    found = _TAPPED.fullmatch(given) if isinstance(given, str) else None
    return None if found is None else (found[1], int(found[2]))


class RatingReplies:
    """Asked after words that stop advertising and before orders are read."""

    precedence = CONSENT + 1
    max_failures = 3

    def __init__(self, clock: Clock, interests: Interests, stepping: Stepping, planner: Planner, told: Told) -> None:
        self._planner = planner
        self._clock = clock
        self._interests = interests
        self._stepping = stepping
        self._told = told
        self._spoke: set[tuple[int, int]] = set()
        self._heard: set[tuple[int, str]] = set()

    async def prepare(self, written: Sequence[Written]) -> None:
        """Accounts that never asked anybody are left alone."""
        await self._interests.refresh({one.account_id for one in written})

    async def answer(self, tx: Tx, heard: Heard) -> Answered | None:
        item = heard.written.message
        if heard.written.change or not self._interests.of(heard.written.account_id).asks:
            return None
        tapped = _tapped(item)
        if tapped is not None:
            return await self._rate(tx, heard, await self._named(tx, heard, tapped[0]), tapped[1], is_tap=True)
        if item.type != "text":
            return None
        figure, now = read_figure(item.text), self._clock.now_ms()
        last = await self._last(tx, heard, now - ASKED_MS)
        if last is None:
            return None
        if figure is None:
            await self._comment(tx, heard, last, item.text, now)
            return None
        if last.rating is not None or await self._is_about_an_order(tx, heard, now):
            return None
        return await self._rate(tx, heard, last, figure, is_tap=False)

    async def _last(self, tx: Tx, heard: Heard, since: int) -> Rating | None:
        which = {"b_account": heard.written.account_id, "b_contact": heard.contact.contact_id, "since": since}
        row = await tx.first(store.LAST, which)
        return None if row is None else read_rating(row)

    async def _named(self, tx: Tx, heard: Heard, run_id: str) -> Rating | None:
        """The question of a list, which only its guest answers."""
        account_id = heard.written.account_id
        row = await tx.first(store.GET, {"b_account": account_id, "b_run": run_id})
        if row is None:
            return None
        living = await find_living(tx, account_id, row["contact_id"])
        return read_rating(row) if living is not None and living["id"] == heard.contact.contact_id else None

    async def _is_about_an_order(self, tx: Tx, heard: Heard, now: int) -> bool:
        venue = await venues.of_line(tx, heard.written.account_id, heard.written.instance_id)
        return venue is not None and await is_asked(tx, heard, venue, now)

    async def _comment(self, tx: Tx, heard: Heard, last: Rating, text: str, now: int) -> None:
        """What follows a rating is kept with it; others answer it all the same."""
        if last.answered_at is not None and now - last.answered_at <= COMMENT_MS and text.strip():
            which = {"b_account": last.account_id, "b_run": last.run_id}
            comment = text.strip()[:MAX_COMMENT].replace("\x00", "")
            if await tx.run(store.COMMENT, {**which, "new_comment": comment}):
                for query, params in self._told_of(heard, last, COMMENTED, last.rating or 0, comment, now):
                    await tx.run(query, params)
            self._heard.add((last.account_id, last.automation_id))

    async def _rate(self, tx: Tx, heard: Heard, asked: Rating | None, figure: int, *, is_tap: bool) -> Answered | None:
        """Note the figure, thank for it, and tell the house of a low one: once, whatever comes again."""
        if asked is None:
            # Whoever tapped something of ours orders nothing by it.
            return Answered(is_settled=True) if is_tap else None
        account_id, now = heard.written.account_id, self._clock.now_ms()
        run_row = await tx.first(run_store.GET, {"b_account": account_id, "b_id": asked.run_id})
        contact = await find_living(tx, account_id, heard.contact.contact_id)
        if run_row is None or contact is None:
            return Answered(is_settled=True)
        one, run = await keeping.find(tx, account_id, asked.automation_id), read_run(run_row)
        definition = await keeping.definition(tx, run)
        step = definition.steps[asked.step]
        assert isinstance(step, FeedbackStep)
        is_low = figure <= step.low
        which = {"b_account": account_id, "b_run": asked.run_id}
        is_first = await tx.run(store.ANSWER, {**which, "new_rating": figure, "new_open": int(is_low), "now": now})
        scene = await set_scene(tx, one, run, contact)
        here = await self._line_of(tx, heard, scene)
        content = (
            speaking.thanks(step, definition, here.line_kind, scene.values, figure)
            if is_first
            else Text(speak(definition.language)["again"])
        )
        if here.line is not None:
            await self._stepping.put(
                tx, account_id, here, heard.written.message.address, content, now, is_marketing=False
            )
            self._spoke.add((account_id, here.line["id"]))
        if is_first and is_low:
            await self._alarm(tx, account_id, definition, scene, heard, run.order_id, figure, now)
        self._heard.add((account_id, asked.automation_id))
        events = self._told_of(heard, asked, RECEIVED, figure, "", now, is_low=is_low) if is_first else []
        # A low figure is for people: it stays in their inbox.
        return Answered(events, is_settled=not (is_first and is_low))

    def _told_of(
        self,
        heard: Heard,
        asked: Rating,
        event: str,
        figure: int,
        comment: str,
        now: int,
        *,
        is_low: bool | None = None,
    ) -> list[Statement]:
        """What programs hear of it. What is open is low."""
        contact_id = heard.contact.contact_id
        body = {
            "event": event,
            "contact_id": contact_id,
            "phone": heard.written.message.sender_phone,
            "automation_id": asked.automation_id,
            "run_id": asked.run_id,
            "order_id": asked.order_id,
            "venue_id": asked.venue_id,
            "rating": figure,
            "is_low": asked.is_open if is_low is None else is_low,
            "comment": comment,
            "timestamp": now // SECOND_MS,
        }
        return self._planner.plan(asked.account_id, event, body, contact_id)

    async def _line_of(self, tx: Tx, heard: Heard, scene: Scene) -> Scene:
        """An answer goes by the line that was written to."""
        line = await self._stepping.line(tx, heard.written.account_id, heard.written.instance_id)
        return Scene(scene.contact_id, scene.name, line, scene.venue, scene.values)

    async def _alarm(
        self, tx: Tx, account_id: int, definition: Definition, scene: Scene, heard: Heard, order_id: str, figure: int,
        now: int,
    ) -> None:  # fmt: skip
        if scene.line is None:
            return
        words, phone = speak(definition.language), heard.written.message.sender_phone
        lines = [words["told_low"].format(name=scene.name or f"+{phone}", rating=figure)]
        lines += [words["told_order"].format(order=order_id)] if order_id else []
        lines += [words["told_phone"].format(phone=phone)] if phone else []
        for number in definition.phones:
            text = Text("\n".join(lines))
            await self._stepping.put(tx, account_id, scene, number, text, now, is_marketing=False)
        self._spoke.add((account_id, scene.line["id"]))

    def committed(self) -> None:
        """What was said is committed: the lines may send it."""
        spoke, self._spoke = self._spoke, set()
        for account_id, line_id in spoke:
            self._stepping.wake(account_id, line_id)
        heard, self._heard = self._heard, set()
        for account_id, automation_id in heard:
            self._told(account_id, automation_id)
            self._planner.planned(account_id)
