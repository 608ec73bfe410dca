"""The one drain of campaigns: whoever is meant gets a row, and rows become messages, as many as the line has room for.

A row and its message are one transaction, under the lock of the campaign's row. So a pause, a cancel or a crash at any
moment leaves each contact with no message or with one.
"""

from __future__ import annotations

import asyncio
import functools
import math
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, TypeVar

from tablegram.campaigns import timing
from tablegram.campaigns.audience import Audience
from tablegram.campaigns.judging import judge, network_reason, refused_arm
from tablegram.campaigns.model import Campaign, Stopped, read_campaign
from tablegram.campaigns.rows import AnswerRow, NewsRow
from tablegram.campaigns.splitting import arm_of
from tablegram.campaigns.states import ACTIVE, ENDS
from tablegram.campaigns.store import campaigns as store
from tablegram.campaigns.store import links as link_store
from tablegram.campaigns.store import sends as send_store
from tablegram.engine import crash_points
from tablegram.engine.courtesy import COURTESY
from tablegram.engine.drains import Depth, Drain, Work, guarded
from tablegram.engine.leases import Leases
from tablegram.flows.campaigns.message.templates import halted
from tablegram.flows.campaigns.message.wording import Wording
from tablegram.flows.campaigns.moving import Moving, lock
from tablegram.flows.campaigns.people import look_up, with_facts
from tablegram.flows.campaigns.sender import Decided, Sender, line_of
from tablegram.flows.gateway.queueing import Queueing
from tablegram.messaging.rows.lines import LineRow
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import DAY_MS, HOUR_MS, Clock

LOOK_EVERY_S = 2.0
# While messages go out: short enough for hundreds a second, long enough to cost nothing.
BUSY_S = 0.2
# Campaigns in one look, contacts that are looked for at once, and answers that are looked for at once.
ROUND, PAGE, NEWS = 50, 1_000, 500
# Contacts that get a row in one transaction; rows that are decided in one, and so many of these in one look; answers that are
# worked in in one. Who writes to a single guest waits for the transaction that is under way: so they are short, and there is a
# pause between two.
ROWS, BATCH, SENDS, SAID, BETWEEN_S = 80, 40, 8, 40, 0.005
# Where there is room for fewer than this, nobody gains by haste, and a transaction decides fewer of them.
HASTE, FEW = 100, 8
# With the line at once: seconds of its work, so that an opt-out, a pause or quiet hours act at once. A linked line
# waits for hours where its care says so, and gets a few.
LOOKAHEAD = {"cloud": 400, "sandbox": 400, "linked": 5}
# From so many a minute on, a crowd at the beginning of each five seconds would be felt: a look queues what its time is worth,
# and some more to make up for one that came late.
FAST, EVEN = 1_200, 1.5
# Statuses and answers of customers are looked for so often; a day after the end, once an hour; after a week no more.
NEWS_EVERY_S = 2.0
WATCHED_MS = 7 * DAY_MS

Told = Callable[[int, str], None]
Done = TypeVar("Done")


@dataclass(frozen=True, slots=True)
class Sent:
    """How many messages were queued, for which line, for how many there is room now, and whether there may be more."""

    queued: int = 0
    line_id: int | None = None
    room: int = 0
    is_more: bool = False
    # What the campaign is to do, and why, where nothing more can be sent.
    ends: tuple[Literal["stop", "pause"], Stopped] | None = None


@dataclass(frozen=True, slots=True)
class Ahead:
    """The line, what everybody gets, and for how many there is room."""

    line: LineRow
    wording: Wording
    room: int


class CampaignClock(Work):
    """`told` is called with each campaign that something was done for."""

    def __init__(
        self, db: Database, clock: Clock, leases: Leases, moving: Moving, queue: Queueing, base_url: str, told: Told,
        audience: Audience,
        *, news_every_s: float = NEWS_EVERY_S,
    ) -> None:  # fmt: skip
        super().__init__()
        self._db = db
        self._clock = clock
        self._moving = moving
        self._queue = queue
        self._sender = Sender(queue, base_url)
        self._told = told
        self._audience = audience
        self._news_every_s = news_every_s
        self._next_news: dict[tuple[int, str], float] = {}
        self.drain = Drain("campaigns", self, leases, retry_s=LOOK_EVERY_S, depth=Depth(db, clock, store.WAITING))

    async def step(self) -> float:
        busy = await self.look()
        return BUSY_S if busy else LOOK_EVERY_S

    async def look(self) -> bool:
        """A piece of everything that is due; whether there may be more at once."""
        now = self._clock.now_ms()
        busy = False
        for row in await self._db.all(store.DUE, {"now": now, "most": ROUND}):
            one = read_campaign(row)
            await self._moving.prepare(one.account_id)
            if one.state in ENDS:
                await self._watch(one)
            elif one.state == "scheduled":
                await self._write(one, self._begin)
                busy = True
            else:
                busy |= await self._piece(one)
            self._moving.told(one.account_id)
            self._told(one.account_id, one.id)
        return busy

    async def _write(
        self, one: Campaign, work: Callable[[Tx, Campaign, int], Awaitable[Done]], *, flushed: bool = True
    ) -> Done:
        """A unit of work on a campaign as it is under its lock."""

        async def unit(tx: Tx) -> Done:
            return await work(tx, await lock(tx, one.account_id, one.id), self._clock.now_ms())

        await COURTESY.let_pass()
        done = await self._db.write(guarded(self.lease, unit), patient=True, flushed=flushed)
        crash_points.reach("campaigns.committed")
        return done

    async def _work(self, one: Campaign, work: Callable[[Tx, Campaign, int], Awaitable[Done]]) -> Done:
        """The same for what moves no campaign, and so plans no event: a power cut takes it back and it is done again.

        No message leaves before a line has claimed it, and that is flushed.
        """
        return await self._write(one, work, flushed=False)

    async def _begin(self, tx: Tx, one: Campaign, now: int) -> None:
        if one.state != "scheduled" or one.starts_at is None:
            return
        if timing.is_too_late(one.plan, one.starts_at, now):
            await self._moving.move(tx, one, "miss", now)
        else:
            await self._moving.move(tx, one, "come", now, due_at=now)

    # What runs.

    async def _piece(self, one: Campaign) -> bool:
        """The next of everything for one campaign; whether it is worth looking again at once."""
        moved = await self._hear(one)
        if not await self._write(one, self._stand):
            return False
        if not one.is_listed:
            await self._list(one)
        ahead = await self._db.snapshot(functools.partial(self._look_ahead, one=one, now=self._clock.now_ms()))
        if ahead is None:
            await self._write(one, functools.partial(self._change, to=("stop", "no_line")))
            return False
        queued, room = 0, ahead.room
        most = BATCH if room >= HASTE else FEW
        for _ in range(SENDS * BATCH // most if room > 0 else 0):
            sent = await self._work(one, functools.partial(self._send, ahead=ahead, room=room, most=most))
            queued, room = queued + sent.queued, sent.room
            if sent.queued and sent.line_id is not None:
                self._queue.wake(one.account_id, sent.line_id)
            if sent.ends is not None:
                await self._write(one, functools.partial(self._change, to=sent.ends))
            if not sent.is_more:
                break
            await asyncio.sleep(BETWEEN_S)
        if queued:
            return True
        is_over = await self._write(one, self._end)
        return not is_over and bool(moved or not one.is_listed)

    async def _stand(self, tx: Tx, one: Campaign, now: int) -> bool:
        """Whether it may go on now: nobody is written to who has just asked not to be, and not at night."""
        if one.state not in ACTIVE:
            return False
        which = {"b_account": one.account_id, "b_campaign": one.id}
        for row in await tx.all(send_store.REFUSED, which):
            if await self._moving.take_one_back(tx, one, row["contact_id"], row["message_key"], now):
                skip = {**which, "b_contact": row["contact_id"], "new_reason": "opted_out", "now": now}
                await tx.run(send_store.SKIPPED, skip)
        if one.plan.clock == "venue":
            until = timing.after_quiet(now, one.plan, one.plan.time_zone)
            if until > now:
                if one.state == "running":
                    await self._moving.move(tx, one, "hold", now, due_at=until)
                else:
                    await tx.run(store.LATER, {"b_account": one.account_id, "b_id": one.id, "new_due": until})
                return False
        if one.state == "held":
            await self._moving.move(tx, one, "go_on", now, due_at=now)
        return True

    async def _list(self, one: Campaign) -> None:
        """A row for the next contacts. Who they are is read beside the writer: some rules look through all orders."""

        async def read(tx: Tx) -> list[str]:
            return await self._audience.page(tx, one.account_id, one.segment_id, one.behind, PAGE)

        ids, behind = await self._db.snapshot(read), one.behind
        for first in range(0, max(1, len(ids)), ROWS):
            some = ids[first : first + ROWS]
            is_end = len(ids) < PAGE and first + ROWS >= len(ids)
            await self._work(one, functools.partial(self._add, ids=some, behind=behind, is_end=is_end))
            behind = some[-1] if some else behind
            await asyncio.sleep(BETWEEN_S)

    async def _add(self, tx: Tx, one: Campaign, now: int, *, ids: list[str], behind: str, is_end: bool) -> None:
        if one.is_listed or one.state != "running" or one.behind != behind:
            return
        rows = []
        for contact_id in ids:
            arm = arm_of(one.id, contact_id, one.plan.holdout_percent, one.plan.arms)
            rows.append({
                "account_id": one.account_id, "campaign_id": one.id, "contact_id": contact_id, "arm": arm,
                "state": "waiting", "reason": "", "due_at": now, "message_key": None, "code": None, "at": None,
                "replied_at": None, "opted_out_at": None, "updated_at": now,
            })  # fmt: skip
        await tx.many(send_store.ADD, rows)
        which = {"b_account": one.account_id, "b_id": one.id}
        far = {"new_behind": ids[-1] if ids else behind, "new_is_listed": int(is_end), "more": len(ids)}
        await tx.run(store.LISTED, {**which, **far})

    async def _look_ahead(self, tx: Tx, *, one: Campaign, now: int) -> Ahead | None:
        """What all pieces of a look need and nobody changes meanwhile, read beside the writer; nothing without a line."""
        line = await line_of(tx, one.account_id, one.instance_id)
        if line is None:
            return None
        kind = str(line["kind"])
        links = await tx.all(link_store.OF_CAMPAIGN, {"b_account": one.account_id, "b_campaign": one.id})
        wording = await self._sender.wording(tx, one, kind, [row["url"] for row in links])
        return Ahead(line, wording, await self._room(tx, one, kind, now))

    async def _send(self, tx: Tx, one: Campaign, now: int, *, ahead: Ahead, room: int, most: int) -> Sent:
        """Messages for those whose turn it is, at `most` so many; `room` is what the last ones have left of it."""
        if one.state != "running":
            return Sent()
        line, wording = ahead.line, ahead.wording
        which = {"b_account": one.account_id, "b_campaign": one.id}
        rows = await tx.all(send_store.DUE, {**which, "now": now, "most": most})
        if not rows:
            return Sent()
        ids = [row["contact_id"] for row in rows]
        people = await look_up(tx, one.account_id, one.plan, str(line["kind"]), ids, now)
        people = await with_facts(tx, one.account_id, one.plan, people)
        queued, decided = 0, Decided(await self._queue.purse(tx, one.account_id, now))
        for row in rows:
            person = people[row["contact_id"]]
            done = await self._sender.take(tx, one, row["arm"], person, line, wording, now, decided)
            if done == "no_balance":
                await decided.write(tx)
                return Sent(queued, line["id"], ends=("pause", "no_balance"))
            queued += done == "queued"
            if queued >= room:
                break
        await decided.write(tx)
        crash_points.reach("campaigns.queued")
        return Sent(queued, line["id"], room - queued, is_more=queued < room and len(rows) == most)

    async def _change(self, tx: Tx, one: Campaign, now: int, *, to: tuple[Literal["stop", "pause"], Stopped]) -> None:
        if one.state == "running":
            await self._moving.move(tx, one, to[0], now, reason=to[1])

    async def _room(self, tx: Tx, one: Campaign, kind: str, now: int) -> int:
        which = {"b_account": one.account_id, "b_campaign": one.id}
        lies = await tx.first(send_store.HOW_MANY_WITH_LINE, which)
        assert lies is not None
        room = LOOKAHEAD[kind] - int(lies["n"])
        if one.plan.pace_per_min:
            # Counted from rows, so that a restart or another process forgets nothing.
            lately = await tx.first(send_store.LAST_SENT, {**which, "since": now - 60_000})
            pace = one.plan.pace_per_min
            seconds = 1 if pace >= FAST else 5
            moment = await tx.first(send_store.LAST_SENT, {**which, "since": now - seconds * 1_000})
            assert lately is not None
            assert moment is not None
            room = min(room, pace - lately["n"], max(1, pace * seconds // 60) - moment["n"])
            if pace >= FAST:
                room = min(room, math.ceil(pace / 60 * BUSY_S * EVEN))
        return room

    async def _end(self, tx: Tx, one: Campaign, now: int) -> bool:
        """Whether nothing is left to do for now: all have their message, or the next one is due later."""
        if one.state != "running":
            return True
        if not one.is_listed:
            return False
        which = {"b_account": one.account_id, "b_campaign": one.id}
        soonest = await tx.first(send_store.NEXT, which)
        if soonest is not None and soonest["at"] is not None:
            wait = min(soonest["at"], now + HOUR_MS) - now
            if wait > LOOK_EVERY_S * 1_000:
                await tx.run(store.LATER, {"b_account": one.account_id, "b_id": one.id, "new_due": now + wait})
                return True
            return False
        lies = await tx.first(send_store.HOW_MANY_WITH_LINE, which)
        if lies is not None and lies["n"]:
            # The line has the rest; it is looked at again soon.
            return False
        await self._moving.move(tx, one, "finish", now)
        return True

    # What became of messages.

    async def _hear(self, one: Campaign) -> int:
        """Work in what the line and the customers have said since the last look; how much it was.

        It is read beside the writer. All that is open is looked through from time to time, and less often the longer that
        takes; what lies with the line, each time.
        """
        key, began = (one.account_id, one.id), time.monotonic()
        is_time = began >= self._next_news.get(key, 0.0)
        which = {"b_account": one.account_id, "b_campaign": one.id, "most": NEWS}

        async def read(tx: Tx) -> tuple[list[NewsRow], list[AnswerRow]]:
            news = await tx.all(send_store.NEWS if is_time else send_store.NEWS_OF_QUEUED, which)
            return news, await tx.all(send_store.ANSWERED, which) if is_time else []

        news, answers = await self._db.snapshot(read)
        if is_time:
            now = time.monotonic()
            self._next_news[key] = now + max(self._news_every_s, 20 * (now - began) if self._news_every_s else 0.0)
        for first in range(0, max(len(news), len(answers)), SAID):
            some = slice(first, first + SAID)
            await self._work(one, functools.partial(_work_in, news=news[some], answers=answers[some]))
            await asyncio.sleep(BETWEEN_S)
        if is_time and one.state in ACTIVE:
            await self._judge(one)
        return len(news)

    async def _judge(self, one: Campaign) -> None:
        """All of its rows are counted beside the writer, which would keep everybody waiting meanwhile."""
        which = {"b_account": one.account_id, "b_campaign": one.id}

        async def read(tx: Tx) -> tuple[Stopped, int | None]:
            counts, delays = await tx.all(send_store.COUNTS, which), await tx.all(send_store.DELAYS, which)
            reason = judge(one.plan, counts, delays)
            if reason:
                return reason, refused_arm(counts, delays) if reason == "template_refused" else None
            line = await line_of(tx, one.account_id, one.instance_id)
            # The network's own word on a template comes before the first message with it fails.
            arm = None if line is None else await halted(tx, one, line["id"])
            return ("", None) if arm is None else ("template_refused", arm)

        async def stop(tx: Tx, one: Campaign, now: int) -> None:
            if one.state in ACTIVE:
                # Which of the templates it was needs no word where there is one.
                which_one = arm if one.plan.more_versions else None
                await self._moving.move(tx, one, "stop", now, reason=reason, reason_arm=which_one)

        reason, arm = await self._db.snapshot(read)
        if reason:
            await self._write(one, stop)

    async def _watch(self, one: Campaign) -> None:
        """A campaign that is over: what the network and the customers still say of it."""
        self._next_news.pop((one.account_id, one.id), None)
        await self._hear(one)
        now, ended = self._clock.now_ms(), one.ended_at or 0
        which = {"b_account": one.account_id, "b_id": one.id}
        if now - ended > WATCHED_MS:
            await self._db.put((store.SETTLE, {**which, "now": now}))
            return
        # Most is said at once; later looks are rarer.
        wait = min(HOUR_MS, max(5_000, (now - ended) // 4))
        await self._db.put((store.LATER, {**which, "new_due": now + wait}))


async def _work_in(tx: Tx, one: Campaign, now: int, *, news: list[NewsRow], answers: list[AnswerRow]) -> None:
    which = {"b_account": one.account_id, "b_campaign": one.id}
    became, noted = [], []
    for row in news:
        failed = row["state"] in ("failed", "cancelled")
        reason = network_reason(row["error_network_code"], row["error_code"]) if failed else ""
        state = {"new_state": "failed" if failed else row["state"], "new_reason": reason, "now": now}
        became.append({**which, "b_contact": row["contact_id"], "b_key": row["message_key"], **state})
    for answer in answers:
        replied = answer["seen"] if answer["seen"] > answer["at"] else None
        opted_out = answer["consent_at"] if answer["consent"] == "denied" else None
        noted.append({**which, "b_contact": answer["contact_id"], "replied": replied, "opted_out": opted_out})
    if became:
        await tx.many(send_store.BECAME, became)
    if noted:
        await tx.many(send_store.NOTE_ANSWER, noted)
