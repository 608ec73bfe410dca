"""Whatever happens to keys and their account, in any order: no answer is older than five seconds."""

from __future__ import annotations

import asyncio
from typing import Any

import uvloop
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, rule, run_state_machine_as_test

from tablegram.errors import Unauthorized
from tests.accounts.opened import Opened, opened
from tests.long import walks

STALE_MS = 5_000


class KeysOverTime(RuleBasedStateMachine):
    """Two key rings over one store, as a server and a command beside it; the model remembers what was true when."""

    keys = Bundle("keys")

    def __init__(self, runner: asyncio.Runner, house: Opened) -> None:
        super().__init__()
        self.runner = runner
        self.house = house
        self.server = house.another_process()
        self.operator = house.another_process()
        name = f"account {house.clock.now_ms()} {id(self)}"
        self.account = self.run(house.accounts.create(name))
        # When the account was suspended or resumed, and until when each key is good.
        self.suspensions: list[tuple[int, bool]] = [(0, False)]
        self.revoked_at: dict[str, int] = {}
        self.expires_at: dict[str, int | None] = {}
        house.clock.advance(60)

    def run(self, work: Any) -> Any:
        return self.runner.run(work)

    def now(self) -> int:
        return self.house.clock.now_ms()

    def next_moment(self) -> None:
        """No two things happen at the same time, so that the model knows what was true between them."""
        self.house.clock.advance(0.001)

    @rule(target=keys, lifetime_s=st.none() | st.sampled_from([1, 4, 30]))
    def make(self, lifetime_s: int | None) -> str:
        expires_at = None if lifetime_s is None else self.now() + lifetime_s * 1_000
        made = self.run(self.operator.create(self.account.id, expires_at=expires_at))
        self.expires_at[made.token] = expires_at
        return str(made.token)

    @rule(token=keys)
    def revoke(self, token: str) -> None:
        self.next_moment()
        record = self.run(self.operator.find(self.account.id, token))
        self.run(self.operator.revoke(self.account.id, record.id))
        self.revoked_at.setdefault(token, self.now())
        self.next_moment()

    @rule(suspended=st.booleans())
    def suspend_or_resume(self, suspended: bool) -> None:
        self.next_moment()
        accounts = self.house.accounts
        self.run((accounts.suspend if suspended else accounts.resume)(self.account.id))
        self.suspensions.append((self.now(), suspended))
        self.next_moment()

    @rule(seconds=st.sampled_from([0.001, 0.5, 1, 2, 2.999, 3, 4.999, 5, 30]))
    def wait(self, seconds: float) -> None:
        self.house.clock.advance(seconds)

    @rule(token=keys, times=st.integers(1, 3))
    def call(self, token: str, times: int) -> None:
        for _ in range(times):
            answer = self.run(self.answer(token))
            assert answer in self.possible_answers(token)
            expires_at = self.expires_at[token]
            if expires_at is not None and expires_at <= self.now():
                assert answer != "ok"

    async def answer(self, token: str) -> str:
        try:
            caller = await self.server.authenticate(token)
        except Unauthorized as refusal:
            return refusal.code
        assert caller.account_id == self.account.id
        return "ok"

    def possible_answers(self, token: str) -> set[str]:
        changes = [at for at, _ in self.suspensions] + [self.revoked_at.get(token, 0), self.expires_at[token] or 0]
        oldest = self.now() - STALE_MS
        moments = {self.now(), oldest} | {at for at in changes if oldest < at <= self.now()}
        moments |= {at - 1 for at in changes if oldest < at <= self.now()}
        return {self.truth(token, at) for at in moments}

    def truth(self, token: str, at: int) -> str:
        if token in self.revoked_at and self.revoked_at[token] <= at:
            return "key_revoked"
        expires_at = self.expires_at[token]
        if expires_at is not None and expires_at <= at:
            return "key_expired"
        suspended = [state for since, state in self.suspensions if since <= at][-1]
        return "account_suspended" if suspended else "ok"


def test_no_answer_is_older_than_five_seconds(database_url: str) -> None:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        context = opened(database_url)
        house = runner.run(context.__aenter__())
        try:
            run_state_machine_as_test(
                lambda: KeysOverTime(runner, house),  # type: ignore[arg-type]  # Called for each walk, as a class is.
                settings=settings(
                    max_examples=walks(10, 25),
                    stateful_step_count=25,
                    deadline=None,
                    suppress_health_check=list(HealthCheck),
                ),
            )
        finally:
            runner.run(context.__aexit__(None, None, None))
