"""Whether payments work, tried out with play money: the whole way where the provider plays, and its keys everywhere else.

What the trial makes is a link of the mode `test` that belongs to nothing, and its money goes back at the end: it is in no
takings, and in the list of links it says what it is.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Literal, cast

from msgspec import Struct

from tablegram.accounts.keys.keys import Caller
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.engine.timers import Bell
from tablegram.errors import Problem
from tablegram.flows.payments.fields import LinkFields
from tablegram.flows.payments.link_desk import LinkDesk
from tablegram.flows.payments.provider_desk import ProviderDesk, require_connecting
from tablegram.payments.caretaking import Caretaker
from tablegram.payments.keeping import Payments
from tablegram.payments.model import Link
from tablegram.payments.ports import Plays, ProviderDown, ProviderRefused

StepName = Literal["made", "paid", "heard", "returned"]
STEPS: tuple[StepName, ...] = ("made", "paid", "heard", "returned")
# A signal of the sandbox comes within a moment; one that is held up is waited for so long.
WAIT_S = 15.0
# Another process may be the one that hears of it, and rings no bell here.
LOOK_EVERY_S = 0.5
# One of any currency's whole units.
AMOUNT = 1.0
LIFE_S = 600


class Trial(Struct, kw_only=True, frozen=True):
    """How far it came. `code` says why it went no further; a trial of keys alone has no steps."""

    ok: bool
    done: list[StepName] = []
    code: str = ""
    link_id: str = ""


class TrialDesk:
    def __init__(
        self,
        idempotency: Idempotency,
        providers: ProviderDesk,
        links: LinkDesk,
        caretaker: Caretaker,
        payments: Payments,
    ) -> None:
        self._idempotency = idempotency
        self._providers = providers
        self._links = links
        self._caretaker = caretaker
        self._accesses = payments.accesses
        # By link, who waits for news of it.
        self._bells: dict[str, Bell] = {}
        self.wait_s = WAIT_S
        payments.listeners.append(self._told)

    async def run(self, caller: Caller, provider_id: str, call: Call, wish: dict[str, str]) -> Trial:
        """Try an access. `wish` holds the currency, the description and the language of the link."""
        require_connecting(caller)
        kept = await self._providers.get(caller, provider_id)
        if kept.provider != "sandbox":
            found = (await self._providers.check(caller, provider_id, call)).value
            return Trial(ok=found.ok, code=found.code)

        async def effect() -> Result[Trial]:
            return Result(await self._play(caller, provider_id, wish))

        return (await self._idempotency.after_for(Trial, caller.account_id, call, effect)).value

    async def _play(self, caller: Caller, provider_id: str, wish: dict[str, str]) -> Trial:
        checked = (await self._providers.check(caller, provider_id, Call("trial"))).value
        if not checked.ok:
            return Trial(ok=False, code=checked.code)
        fields = cast(LinkFields, {**wish, "amount": AMOUNT, "expires_in_s": LIFE_S, "provider_id": provider_id})
        link = (await self._links.create(caller, fields, Call("trial"))).value
        bell = self._bells[link.id] = Bell()
        done: list[StepName] = []
        try:
            code = await self._walk(caller, provider_id, link.id, bell, done)
        finally:
            del self._bells[link.id]
        if code and "heard" not in done:
            with suppress(Problem):
                await self._tidy_up(caller, link.id)
        return Trial(ok=not code, done=done, code=code, link_id=link.id)

    async def _walk(self, caller: Caller, provider_id: str, link_id: str, bell: Bell, done: list[StepName]) -> str:
        """Step by step; why it ended early, or nothing."""
        link = await self._links.get(caller, link_id)
        if link.state != "open":
            return link.failure or "provider_down"
        done.append("made")
        _, provider = await self._accesses.open(caller.account_id, provider_id)
        assert isinstance(provider, Plays)
        try:
            await provider.play(link.url)
        except ProviderRefused as refused:
            return refused.code
        except ProviderDown:
            return "provider_down"
        done.append("paid")
        if not await self._heard(caller, link_id, bell):
            return "no_signal"
        done.append("heard")
        refund = (await self._links.refund(caller, link_id, {}, Call("trial"))).value
        if refund.state != "succeeded":
            return refund.failure or "provider_down"
        done.append("returned")
        return ""

    async def _tidy_up(self, caller: Caller, link_id: str) -> None:
        """Nobody is to find it open, or to decide about it: what was paid, as the provider says itself, goes back."""
        link = await self._caretaker.hurry(caller.account_id, link_id)
        if link.received:
            await self._links.refund(caller, link_id, {}, Call("trial"))
        else:
            await self._links.cancel(caller, link_id, Call("trial"))

    async def _heard(self, caller: Caller, link_id: str, bell: Bell) -> bool:
        """Whether the provider's own signal has made the link a paid one. Nobody asks the provider so early."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self.wait_s):
                while True:
                    if (await self._links.get(caller, link_id)).state == "paid":
                        return True
                    await bell.wait(LOOK_EVERY_S)
        return False

    def _told(self, link: Link) -> None:
        if (bell := self._bells.get(link.id)) is not None:
            bell.ring()
