"""Whatever the order in which wishes, hosts and their late words come: a pairing is changed by its own alone."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tablegram.engine.leases import Lease
from tablegram.messaging.links import LinkRow, Shown
from tablegram.messaging.watching.codes import CodeWatch
from tests.messaging.gateway import Gateway, gateway

WALKS, STEPS = 12, 40
PHONES = ("", "905551112233", "905551112244")


@dataclass
class Model:
    """The row as it should be."""

    epoch: int = 0
    session: str = ""
    ended: str = ""
    wish: str = ""
    wish_phone: str = ""
    code: str = ""
    typed: str = ""


async def step(
    chance: random.Random, one: Gateway, link: LinkRow, lease: Lease, model: Model, wishes: list[int]
) -> str:
    """Do something at random, to the row and to the model; what it was."""
    until = one.clock.now_ms() + 3_600_000
    epoch = chance.choice([model.epoch, model.epoch, max(0, model.epoch - 1)])
    is_own = epoch == model.epoch
    what = chance.choice(["seek", "log_out", "end", "begin", "session", "code", "typed", "connected", "granted"])
    phone = chance.choice(PHONES)
    if what == "seek":
        await link.seek(phone)
        if phone or model.ended:
            model.wish, model.wish_phone, model.typed = "pair", phone, ""
            wishes.append((await link.read()).wish_at)
    elif what == "log_out":
        await link.log_out()
        model.wish, model.wish_phone, model.typed = "logout", "", ""
        wishes.append((await link.read()).wish_at)
    elif what == "end":
        await link.end(lease, epoch, "logged_out_here")
        if is_own:
            wish = (model.wish, model.wish_phone) if model.wish == "pair" else ("", "")
            model.epoch, model.session, model.ended, model.code, model.typed = epoch + 1, "", "logged_out_here", "", ""
            model.wish, model.wish_phone = wish
    elif what == "begin":
        await link.begin_anew(lease, epoch)
        model.ended = "" if is_own else model.ended
    elif what == "session":
        await link.keep_session(lease, epoch, "a session")
        model.session = "a session" if is_own else model.session
    elif what == "code":
        await link.show_code(lease, epoch, Shown(f"code {epoch}", until))
        model.code = f"code {epoch}" if is_own else model.code
    elif what == "typed":
        await link.show_typed(lease, epoch, Shown(f"typed {epoch}", until))
        model.typed = f"typed {epoch}" if is_own else model.typed
    elif what == "connected":
        await link.hide_codes(lease, epoch)
        if is_own:
            model.code = model.typed = ""
            if model.wish == "pair":
                model.wish = model.wish_phone = ""
    elif wishes:
        at = chance.choice(wishes)
        await link.granted(at)
        if at == wishes[-1]:
            model.wish = model.wish_phone = ""
    return f"{what} of epoch {epoch} for {phone or 'nobody'}"


async def test_a_row_is_what_its_own_pairing_says_in_whatever_order_things_come(database_url: str) -> None:
    async with gateway(database_url) as one:
        lease = await one.leases.hold("the lines")
        assert lease is not None
        for walk in range(WALKS):
            chance, model = random.Random(walk), Model()
            wishes: list[int] = []
            told: list[str] = []
            link = one.links.of(1, 1_000 + walk)
            # Whoever runs a line reads its row first, which makes it.
            await link.read()
            for _ in range(STEPS):
                told.append(await step(chance, one, link, lease, model, wishes))
                known = await link.read()
                found = Model(
                    known.epoch, known.session, known.ended, known.wish, known.wish_phone,
                    known.code.code if known.code else "", known.typed.code if known.typed else "",
                )  # fmt: skip
                assert found == model, told
            assert len(set(wishes)) == len(wishes), "each wish has a moment of its own"


async def test_pages_of_another_process_hear_of_each_new_code_and_of_its_end(database_url: str) -> None:
    async with gateway(database_url) as one:
        line = (await one.add_line("linked")).instance
        lease = await one.leases.hold("the lines")
        assert lease is not None
        link = one.links.of(1, line.id)
        await link.seek()
        told: list[tuple[int, int]] = []
        watched = [False]
        # Of the process that holds the line it knows nothing but the rows.
        watch = CodeWatch(one.db, lambda: watched[0], lambda account_id, line_id: told.append((account_id, line_id)))
        await link.show_code(lease, 0, Shown("a", one.clock.now_ms() + 20_000))
        await watch.look()
        watched[0] = True
        await watch.look()
        assert told == []
        for until_s in (40, 60):
            await link.show_code(lease, 0, Shown("b", one.clock.now_ms() + until_s * 1_000))
            await watch.look()
            await watch.look()
        assert told == [(1, line.id)] * 2
        await link.hide_codes(lease, 0)
        await watch.look()
        assert told == [(1, line.id)] * 3
