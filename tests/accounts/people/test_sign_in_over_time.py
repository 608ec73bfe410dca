"""Whatever people do, in any order: a link, a code and a session let in exactly whom they should, exactly once."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import pyotp
import uvloop
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from tablegram.accounts.people.entrance import Origin
from tablegram.accounts.people.sessions import HALFWAY_MS, SLIDING_MS, TOUCH_EVERY_MS
from tablegram.errors import Conflict, Gone, Invalid, TooMany, Unauthorized
from tests.accounts.people.visitors import Place, place, token_of
from tests.long import walks

# Every walk has a person of its own in the one account.
_numbers = itertools.count(1)
WORDS = ("four words are enough", "five words are even more", "and six of them the most")


class SignInOverTime(RuleBasedStateMachine):
    """One person; the model knows the password, the second factor, and until when each session and link is good."""

    links = Bundle("links")

    def __init__(self, runner: asyncio.Runner, here: Place) -> None:
        super().__init__()
        self.runner, self.here = runner, here
        self.email = f"person{next(_numbers)}@example.com"
        # Nobody is slowed down here; that has tests of its own.
        self.tries = 0
        cookie = self.run(self.come_in())
        self.password, self.app, self.codes = WORDS[0], None, []
        self.used_steps: set[int] = set()
        # By cookie: until when, and whether the second factor was shown.
        self.sessions: dict[str, tuple[int, bool]] = {cookie: (self.now() + SLIDING_MS, True)}
        self.ended: set[str] = set()
        self.seen: dict[str, int] = {}
        self.good_until: dict[str, int] = {}

    app: pyotp.TOTP | None
    codes: list[str]

    async def come_in(self) -> str:
        return (await self.here.accept(await self.here.invite(self.email, "staff"), password=WORDS[0])).token

    def run(self, work: Any) -> Any:
        return self.runner.run(work)

    def now(self) -> int:
        return self.here.house.clock.now_ms()

    def origin(self) -> Origin:
        self.tries += 1
        return Origin(f"address {self.tries}")

    def end_all(self, but: str = "") -> None:
        for cookie in [one for one in self.sessions if one != but]:
            del self.sessions[cookie]
            self.ended.add(cookie)

    @rule(seconds=st.sampled_from([1, 31, 61, 601, 3_601, 86_400 * 3]))
    def wait(self, seconds: int) -> None:
        self.here.house.clock.advance(seconds)
        for cookie, (until, _) in list(self.sessions.items()):
            if until <= self.now():
                del self.sessions[cookie]
                self.ended.add(cookie)

    @rule(right=st.booleans())
    def sign_in(self, right: bool) -> None:
        try:
            admitted = self.run(
                self.here.sign_in(self.email, self.password if right else "these are other words", self.origin())
            )
        except TooMany:
            return
        except Unauthorized:
            assert not right
            return
        assert right
        assert admitted.needs_second is (self.app is not None)
        life = HALFWAY_MS if admitted.needs_second else SLIDING_MS
        self.sessions[admitted.token] = (self.now() + life, not admitted.needs_second)

    def half(self) -> str | None:
        return next((cookie for cookie, (_, whole) in self.sessions.items() if not whole), None)

    def whole(self) -> str | None:
        return next((cookie for cookie, (_, whole) in self.sessions.items() if whole), None)

    @rule(steps=st.sampled_from([-2, -1, 0, 1]))
    def show_app_code(self, steps: int) -> None:
        if self.app is None:
            return
        step = self.now() // 30_000 + steps
        fits = steps >= -1 and all(step > used for used in self.used_steps)
        if self.show(self.app.generate_otp(step), fits):
            self.used_steps.add(step)

    @rule(place=st.integers(0, 9))
    def show_recovery_code(self, place: int) -> None:
        if self.app is not None and self.show(self.codes[place], self.codes[place] != "used"):
            self.codes[place] = "used"

    def show(self, code: str, fits: bool) -> bool:
        cookie = self.half()
        if cookie is None:
            return False
        try:
            admitted = self.run(self.here.people.entrance.show_second(cookie, code, self.origin()))
        except TooMany:
            return False
        except Invalid:
            assert not fits
            return False
        assert fits
        del self.sessions[cookie]
        self.ended.add(cookie)
        self.sessions[admitted.token] = (self.now() + SLIDING_MS, True)
        return True

    @rule()
    def enable_second_factor(self) -> None:
        cookie = self.whole()
        if cookie is None or self.app is not None:
            return
        try:
            self.app, self.codes = self.run(self.here.enable_second(cookie, self.password, self.origin()))
        except TooMany:
            return
        self.used_steps = {self.now() // 30_000}
        self.end_all(but=cookie)

    @rule()
    def disable_second_factor(self) -> None:
        cookie = self.whole()
        if cookie is None or self.app is None:
            return
        session = self.run(self.here.session(cookie))
        try:
            self.run(self.here.people.entrance.disable_second_factor(session, self.password, self.origin()))
        except TooMany:
            return
        self.app = None

    @rule(wanted=st.sampled_from(WORDS))
    def change_password(self, wanted: str) -> None:
        cookie = self.whole()
        if cookie is None or wanted == self.password:
            return
        session = self.run(self.here.session(cookie))
        change = self.here.people.entrance.change_password
        try:
            self.run(change(session, cookie, self.password, wanted, self.origin()))
        except TooMany:
            return
        self.password = wanted
        self.end_all(but=cookie)

    @rule(target=links)
    def make_reset_link(self) -> str:
        address = self.run(self.here.people.links.make("reset", self.email, by="test"))
        self.good_until[token_of(address)] = self.now() + 3_600_000
        return token_of(address)

    @rule(link=links, wanted=st.sampled_from(WORDS))
    def use_link(self, link: str, wanted: str) -> None:
        good = self.good_until.get(link, 0) > self.now()
        try:
            admitted = self.run(self.here.accept(link, password=wanted))
        except (Gone, Conflict):
            assert not good
            return
        assert good
        # Not one of the others works any more.
        self.good_until.clear()
        self.password = wanted
        self.end_all()
        life = HALFWAY_MS if admitted.needs_second else SLIDING_MS
        self.sessions[admitted.token] = (self.now() + life, not admitted.needs_second)

    @rule()
    def sign_out(self) -> None:
        cookie = self.whole()
        if cookie is not None:
            self.run(self.here.people.entrance.sign_out(cookie, None))
            del self.sessions[cookie]
            self.ended.add(cookie)

    @rule()
    def sign_out_everywhere(self) -> None:
        cookie = self.whole()
        if cookie is not None:
            session = self.run(self.here.session(cookie))
            self.run(self.here.people.sessions.close_others(session.person.id))
            self.end_all()

    @invariant()
    def exactly_the_open_sessions_are_open(self) -> None:
        for cookie, (until, whole) in list(self.sessions.items()):
            found = self.run(self.here.people.sessions.find(cookie))
            assert found is not None
            assert found.passed_second is whole
            assert found.person.email == self.email
            # Looking slides a session on, now and then.
            if whole and self.seen.setdefault(cookie, until - SLIDING_MS) <= self.now() - TOUCH_EVERY_MS:
                self.seen[cookie] = self.now()
                self.sessions[cookie] = (self.now() + SLIDING_MS, whole)
        self.run(self.here.people.sessions.settle())
        for cookie in self.ended:
            assert self.run(self.here.people.sessions.find(cookie)) is None


def test_links_codes_and_sessions_let_in_whom_they_should(database_url: str) -> None:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        context = place(database_url)
        here = runner.run(context.__aenter__())
        try:
            run_state_machine_as_test(
                lambda: SignInOverTime(runner, here),  # type: ignore[arg-type]  # Called for each walk, as a class is.
                settings=settings(
                    max_examples=walks(10, 25),
                    stateful_step_count=25,
                    deadline=None,
                    suppress_health_check=list(HealthCheck),
                ),
            )
        finally:
            runner.run(context.__aexit__(None, None, None))
