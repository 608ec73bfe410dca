"""The account's switch for the language model, and how it goes: as people and programs see it."""

from __future__ import annotations

from tablegram.accounts.audit import Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.errors import Conflict
from tablegram.flows.restaurant.answers.reader import ReaderTrouble, ReaderView
from tablegram.flows.restaurant.desks.desk import CHANGE, LOOK
from tablegram.restaurant.readers import spending
from tablegram.restaurant.readers.spending import Caps
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock, iso

# What each trouble means, for programs' logs; pages have words of their own.
DETAILS = {
    "unreachable": "The model's server does not answer.",
    "slow": "The model takes longer than a guest waits.",
    "key_refused": "The model's server refuses the key.",
    "refused": "The model's server refuses the question.",
    "too_large": "The answer is too large to be read.",
    "not_json": "The answer is not in the form that was asked for.",
    "unfit": "The answer names what the menu or the guest's text does not have.",
    "resting": "The model has failed several times in a row and is left alone for some minutes.",
    "over_cap": "The account has used up what it may spend on one day. It goes on at midnight, UTC.",
}


class ReaderDesk:
    def __init__(self, db: Database, clock: Clock, audit: Audit, caps: Caps, *, is_there: bool) -> None:
        self._db = db
        self._clock = clock
        self._audit = audit
        self._caps = caps
        self.is_there = is_there

    async def look(self, caller: Caller) -> ReaderView:
        """Whether texts go to the model, what that cost today, and what went wrong last."""
        caller.require(LOOK)
        return await self._db.snapshot(lambda tx: self._view(tx, caller.account_id))

    async def switch(self, caller: Caller, is_on: bool) -> ReaderView:
        caller.require(CHANGE)
        if is_on and not self.is_there:
            raise Conflict(
                "This installation has no language model. Its operator sets TABLEGRAM_READER_URL.",
                code="reader_missing",
            )
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> ReaderView:
            before = await spending.look(tx, caller.account_id, self._clock.now_ms())
            if before.is_on != is_on:
                await spending.switch(tx, caller.account_id, is_on, self._clock.now_ms())
                did = "venue.reader_switched_on" if is_on else "venue.reader_switched_off"
                await acting.note(tx, did, "account", str(caller.account_id))
            return await self._view(tx, caller.account_id)

        return await self._db.write(work)

    async def _view(self, tx: Tx, account_id: int) -> ReaderView:
        standing = await spending.look(tx, account_id, self._clock.now_ms())
        trouble = standing.trouble
        return ReaderView(
            is_there=self.is_there,
            is_on=standing.is_on and self.is_there,
            calls_today=standing.calls,
            calls_a_day=self._caps.calls,
            tokens_today=standing.tokens,
            tokens_a_day=self._caps.tokens,
            answered_at=iso(standing.answered_at),
            trouble=ReaderTrouble(code=trouble, detail=DETAILS[trouble], at=iso(standing.trouble_at or 0))
            if trouble
            else None,
        )
