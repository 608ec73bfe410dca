"""Who comes in, who does not, and what ends when."""

from __future__ import annotations

import asyncio

import pyotp
import pytest
from sqlalchemy import select

from tablegram.accounts.people import store
from tablegram.accounts.people.entrance import Origin
from tablegram.accounts.people.sessions import HALFWAY_MS, LONGEST_MS, SLIDING_MS, TOUCH_EVERY_MS
from tablegram.errors import Conflict, Gone, Invalid, NotFound, Problem, TooMany, Unauthorized
from tablegram.storage.database import Row
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import panel_links, panel_sessions, people, recovery_codes
from tests.accounts.people.visitors import EMAIL, HERE, PASSWORD, Place, place, token_of
from tests.engine.waiting import until

pytestmark = pytest.mark.later


async def test_the_owners_first_link_lets_him_choose_a_password_and_sign_in(database_url: str) -> None:
    async with place(database_url) as here:
        cookie = await here.come_in()
        session = await here.session(cookie)
        assert (session.person.name, session.person.email) == ("Ada", EMAIL)
        assert session.caller.account_id == here.account.id
        assert session.caller.has("account:manage")
        assert session.caller.is_person
        again = await here.sign_in(" ADA@example.com ")
        assert not again.needs_second
        assert again.token != cookie


async def test_nothing_that_lets_somebody_in_is_stored_readably(database_url: str) -> None:
    async with place(database_url) as here:
        link = await here.invite()
        cookie = (await here.accept(link)).token
        app, codes = await here.enable_second(cookie)
        kept = []
        for table in (people, panel_sessions, panel_links, recovery_codes):
            everything = across_accounts(select(table), "the test reads all that is stored")
            kept += [str(dict(row)) for row in await here.house.db.all(everything)]
        shown = " ".join(kept)
        for secret in (link, cookie, app.secret, PASSWORD, codes[0], codes[0].replace("-", "")):
            assert secret not in shown
        assert "$argon2id$" in shown


@pytest.mark.parametrize(
    ("email", "password"),
    [(EMAIL, "not the password"), (EMAIL, ""), ("nobody@example.com", PASSWORD), ("", ""), ("x" * 3_000, "y" * 9_000)],
)
async def test_a_wrong_address_and_a_wrong_password_are_told_alike(
    database_url: str, email: str, password: str
) -> None:
    async with place(database_url) as here:
        await here.come_in()
        with pytest.raises(Unauthorized) as caught:
            await here.sign_in(email, password)
        assert (caught.value.code, caught.value.detail) == (
            "sign_in_refused",
            "The e-mail address or the password is not right.",
        )


async def test_somebody_who_has_not_accepted_yet_has_no_password_that_fits(database_url: str) -> None:
    async with place(database_url) as here:
        await here.people.register.create(EMAIL)
        for guess in ("", "nobody has this password", PASSWORD):
            with pytest.raises(Unauthorized):
                await here.sign_in(EMAIL, guess)


async def test_a_link_works_once_even_for_two_at_the_same_moment(database_url: str) -> None:
    async with place(database_url) as here:
        link = await here.invite(role="staff")
        ends = await asyncio.gather(*[here.accept(link) for _ in range(5)], return_exceptions=True)
        assert sum(not isinstance(end, BaseException) for end in ends) == 1
        assert all(isinstance(end, Gone | Conflict) for end in ends if isinstance(end, BaseException))
        with pytest.raises(Gone, match="used already"):
            await here.people.links.look(link)


async def test_an_expired_or_made_up_link_is_told_so(database_url: str) -> None:
    async with place(database_url) as here:
        link = await here.invite()
        here.house.clock.advance(7 * 86_400)
        with pytest.raises(Gone) as late:
            await here.accept(link)
        assert late.value.code == "link_expired"
        with pytest.raises(NotFound):
            await here.accept("x" * 43)
        assert await here.people.register.find(EMAIL) is None


async def test_looking_at_a_link_does_not_spend_it(database_url: str) -> None:
    async with place(database_url) as here:
        link = await here.invite()
        for _ in range(3):
            assert (await here.people.entrance.look_at(link))[0].email == EMAIL
        await here.accept(link)


async def test_a_refused_password_leaves_the_link_as_it_was(database_url: str) -> None:
    async with place(database_url) as here:
        link = await here.invite()
        for bad in ("short", "ada@example.com", "1234567890", "aaaaaaaaaaaaaa"):
            with pytest.raises(Invalid):
                await here.accept(link, password=bad)
        await here.accept(link)


async def test_an_invitation_cannot_choose_the_password_of_somebody_who_is_here_already(database_url: str) -> None:
    async with place(database_url) as here:
        await here.come_in()
        other = await here.house.accounts.create("Kebap")
        link = await here.invite(EMAIL, "staff", other)
        with pytest.raises(Conflict) as caught:
            await here.accept(link, password="another four words here")
        assert caught.value.code == "sign_in_first"
        await here.people.register.set_operator("boss@example.com", True)
        boss = await here.invite("boss@example.com", "staff", other)
        with pytest.raises(Conflict):
            await here.accept(boss)
        await here.sign_in()


async def test_somebody_signed_in_joins_another_account_and_looks_at_either(database_url: str) -> None:
    async with place(database_url) as here:
        cookie = await here.come_in()
        stranger = await here.come_in("bob@example.com", "staff")
        other = await here.house.accounts.create("Kebap")
        link = await here.invite(EMAIL, "kitchen", other)
        with pytest.raises(Conflict) as caught:
            await here.people.entrance.join(link, await here.session(stranger))
        assert caught.value.code == "link_not_yours"
        assert await here.people.entrance.join(link, await here.session(cookie)) == other.id
        await here.people.sessions.switch(cookie, other.id)
        session = await here.session(cookie)
        assert (session.caller.account_id, session.caller.has("messages:read")) == (other.id, False)
        await here.people.sessions.switch(cookie, here.account.id)
        assert (await here.session(cookie)).caller.has("messages:read")
        with pytest.raises(NotFound):
            await here.people.sessions.switch(stranger, other.id)


async def test_without_the_second_factor_a_session_is_only_halfway(database_url: str) -> None:
    async with place(database_url) as here:
        cookie = await here.come_in()
        app, codes = await here.enable_second(cookie)
        here.house.clock.advance(60)
        half = await here.sign_in()
        assert half.needs_second
        assert not (await here.session(half.token)).passed_second
        with pytest.raises(Invalid):
            await here.people.entrance.show_second(half.token, "000000", HERE)
        whole = await here.people.entrance.show_second(half.token, here.code(app), HERE)
        assert (await here.session(whole.token)).passed_second
        # The cookie from before is worth nothing: whoever planted it holds nothing.
        assert await here.people.sessions.find(half.token) is None
        assert len(codes) == len(set(codes)) == 10


async def test_each_code_works_once(database_url: str) -> None:
    async with place(database_url) as here:
        cookie = await here.come_in()
        app, codes = await here.enable_second(cookie)
        person = (await here.session(cookie)).person.id
        second = here.people.second_factor
        assert not await second.accept(person, here.code(app)), "it was used to switch it on"
        here.house.clock.advance(90)
        fresh = here.code(app)
        assert sorted(await asyncio.gather(*[second.accept(person, fresh) for _ in range(4)])) == [False] * 3 + [True]
        assert not await second.accept(person, here.code(app, -1)), "an older step than the last used one"
        written = codes[0].upper().replace("-", " ")
        assert sorted(await asyncio.gather(*[second.accept(person, written) for _ in range(4)])) == [False] * 3 + [True]
        assert await second.codes_left(person) == 9


async def test_a_code_of_the_step_before_or_after_is_taken_and_no_other(database_url: str) -> None:
    async with place(database_url) as here:
        app, _ = await here.enable_second(await here.come_in())
        found = await here.people.register.find(EMAIL)
        assert found is not None
        for steps, good in ((-2, False), (2, False), (-1, True), (0, True), (1, True)):
            here.house.clock.advance(300)
            assert await here.people.second_factor.accept(found.id, here.code(app, steps)) is good, steps


async def test_somebody_elses_picture_or_an_old_one_switches_nothing_on(database_url: str) -> None:
    async with place(database_url) as here:
        ada, bob = await here.come_in(), await here.come_in("bob@example.com", "staff")
        mine, theirs = await here.session(ada), await here.session(bob)
        offered = here.people.second_factor.offer(theirs.person)
        code = here.code(pyotp.TOTP(offered.secret))
        for ticket in (offered.ticket, "nonsense", ""):
            with pytest.raises(Conflict):
                await here.people.entrance.enable_second_factor(mine, ada, ticket, code, PASSWORD, HERE)
        here.house.clock.advance(3_600)
        with pytest.raises(Conflict):
            await here.people.entrance.enable_second_factor(theirs, bob, offered.ticket, code, PASSWORD, HERE)


async def test_an_open_browser_alone_switches_no_second_factor_on(database_url: str) -> None:
    async with place(database_url) as here:
        ada = await here.come_in()
        for password in ("", "not the password", PASSWORD + " "):
            with pytest.raises(Invalid) as refused:
                await here.enable_second(ada, password)
            assert refused.value.errors[0].field == "password"
        assert not (await here.session(ada)).person.has_second_factor
        assert not (await here.sign_in()).needs_second


async def test_a_new_password_ends_every_other_session_and_the_old_password(database_url: str) -> None:
    async with place(database_url) as here:
        here_cookie = await here.come_in()
        elsewhere = (await here.sign_in()).token
        session = await here.session(here_cookie)
        change = here.people.entrance.change_password
        with pytest.raises(Invalid):
            await change(session, here_cookie, "not it", "five words are even more", HERE)
        await change(session, here_cookie, PASSWORD, "five words are even more", HERE)
        assert await here.people.sessions.find(elsewhere) is None
        assert await here.people.sessions.find(here_cookie) is not None
        with pytest.raises(Unauthorized):
            await here.sign_in()
        await here.sign_in(password="five words are even more")


async def test_a_reset_ends_every_session_and_every_other_reset_link(database_url: str) -> None:
    async with place(database_url) as here:
        cookie = await here.come_in()
        links = [token_of(await here.people.links.make("reset", EMAIL, by="test")) for _ in range(2)]
        await here.accept(links[0], name="", password="five words are even more")
        assert await here.people.sessions.find(cookie) is None
        with pytest.raises(Gone):
            await here.accept(links[1], password="and six words are the most")


async def test_a_reset_does_not_get_around_the_second_factor(database_url: str) -> None:
    async with place(database_url) as here:
        await here.enable_second(await here.come_in())
        link = token_of(await here.people.links.make("reset", EMAIL, by="test"))
        admitted = await here.accept(link, password="five words are even more")
        assert admitted.needs_second
        assert not (await here.session(admitted.token)).passed_second


async def test_a_forgotten_password_is_answered_alike_and_only_the_known_get_a_letter(database_url: str) -> None:
    async with place(database_url) as here:
        await here.come_in()
        await here.people.entrance.forgot("nobody@example.com", "tr", HERE)
        await here.people.entrance.forgot(EMAIL, "tr", HERE)
        await here.settle()
        (letter,) = here.mailbox.letters
        assert letter.to == EMAIL
        assert "parola" in letter.text
        link = token_of(letter.text.split("/panel/link/")[1].split()[0])
        await here.accept(link, password="five words are even more")
        for _ in range(4):
            await here.people.entrance.forgot(EMAIL, "tr", HERE)
        with pytest.raises(TooMany):
            await here.people.entrance.forgot(EMAIL, "tr", HERE)


async def test_after_five_failures_every_try_waits_longer_known_or_not(database_url: str) -> None:
    async with place(database_url) as here:
        await here.come_in()
        stranger = Origin("198.51.100.1")
        for email in (EMAIL, "nobody@example.com"):
            waits = []
            for _ in range(8):
                with pytest.raises(Problem) as caught:
                    await here.sign_in(email, "wrong words again", stranger)
                waits.append(caught.value.retry_after_s)
                if isinstance(caught.value, TooMany):
                    assert caught.value.retry_after_s is not None
                    here.house.clock.advance(caught.value.retry_after_s)
            assert waits == [None] * 5 + [2, None, 4]
        with pytest.raises(Unauthorized):
            await here.sign_in(password="wrong words again", origin=stranger)
        with pytest.raises(TooMany):
            await here.sign_in(origin=stranger)
        here.house.clock.advance(3_600)
        await here.sign_in(origin=stranger)


async def test_one_address_that_tries_many_names_is_slowed_down(database_url: str) -> None:
    async with place(database_url) as here:
        await here.come_in()
        for number in range(20):
            with pytest.raises(Unauthorized):
                await here.sign_in(f"guess{number}@example.com")
        with pytest.raises(TooMany):
            await here.sign_in("guess@example.com")
        await here.sign_in(origin=Origin("198.51.100.9"))


async def test_a_session_slides_on_and_ends_when_nobody_comes(database_url: str) -> None:
    async with place(database_url) as here:
        cookie = await here.come_in()
        for _ in range(5):
            here.house.clock.advance(SLIDING_MS / 1_000 - 60)
            assert await here.people.sessions.find(cookie) is not None
            await here.people.sessions.settle()
        here.house.clock.advance(SLIDING_MS / 1_000)
        assert await here.people.sessions.find(cookie) is None
        again = (await here.sign_in()).token
        for _ in range(LONGEST_MS // SLIDING_MS + 2):
            here.house.clock.advance(SLIDING_MS / 1_000 - 60)
            await here.people.sessions.find(again)
            await here.people.sessions.settle()
        assert await here.people.sessions.find(again) is None


async def test_a_halfway_session_ends_after_minutes(database_url: str) -> None:
    async with place(database_url) as here:
        app, _ = await here.enable_second(await here.come_in())
        half = await here.sign_in()
        here.house.clock.advance(HALFWAY_MS / 1_000)
        with pytest.raises(Unauthorized):
            await here.people.entrance.show_second(half.token, here.code(app), HERE)


async def test_looking_costs_no_write_but_one_in_minutes(database_url: str) -> None:
    async with place(database_url) as here:
        cookie = await here.come_in()
        row = await _row(here, cookie)
        for _ in range(10):
            here.house.clock.advance(10)
            await here.session(cookie)
        await here.people.sessions.settle()
        assert (await _row(here, cookie))["last_seen_at"] == row["last_seen_at"]
        here.house.clock.advance(TOUCH_EVERY_MS / 1_000)
        await here.session(cookie)
        await here.people.sessions.settle()
        assert (await _row(here, cookie))["last_seen_at"] == here.house.clock.now_ms()


async def _row(here: Place, cookie: str) -> Row:
    person = (await here.session(cookie)).person.id
    return (await here.house.db.all(store.SESSIONS_OF, {"person_id": person, "now": 0}))[0]


async def test_who_is_removed_or_changed_elsewhere_is_so_within_five_seconds(database_url: str) -> None:
    async with place(database_url) as here:
        await here.come_in()
        cookie = await here.come_in("bob@example.com", "manager")
        assert (await here.session(cookie)).caller.has("webhooks:manage")
        await here.house.team.change_role(here.account.id, "bob@example.com", "kitchen")
        here.house.clock.advance(5)
        assert not (await here.session(cookie)).caller.has("webhooks:manage")
        await here.house.accounts.suspend(here.account.id)
        here.house.clock.advance(5)
        assert (await here.session(cookie)).caller.scopes == frozenset()
        await here.house.team.remove(here.account.id, "bob@example.com")
        here.house.clock.advance(5)
        assert await here.people.sessions.find(cookie) is None
        with pytest.raises(Unauthorized) as caught:
            await here.sign_in("bob@example.com")
        assert caught.value.code == "no_account"


async def test_own_sessions_are_listed_and_ended_and_nobody_elses(database_url: str) -> None:
    async with place(database_url) as here:
        one = await here.come_in()
        two = (await here.sign_in(origin=Origin("192.0.2.8", "Phone"))).token
        bob = await here.come_in("bob@example.com", "staff")
        mine = await here.session(one)
        listed = await here.people.sessions.list_sessions(mine.person.id, mine.id)
        assert {(record.remote, record.current) for record in listed} == {("192.0.2.7", True), ("192.0.2.8", False)}
        foreign = (await here.session(bob)).id
        with pytest.raises(NotFound):
            await here.people.sessions.close_one(mine.person.id, foreign)
        await here.people.sessions.close_one(mine.person.id, (await here.session(two)).id)
        assert await here.people.sessions.find(two) is None
        await here.people.sessions.close_others(mine.person.id)
        assert await here.people.sessions.find(one) is None
        assert await here.people.sessions.find(bob) is not None


async def test_every_step_is_noted_without_a_secret(database_url: str) -> None:
    async with place(database_url) as here:
        cookie = await here.come_in()
        await here.enable_second(cookie)
        with pytest.raises(Unauthorized):
            await here.sign_in(password="wrong words again")

        async def refusal_is_noted() -> bool:
            return "sign_in.refused" in await here.actions()

        await until(refusal_is_noted, "the note of the refusal, which is written beside the answer")
        session = await here.session(cookie)
        await here.people.entrance.disable_second_factor(session, PASSWORD, HERE)
        await here.people.entrance.sign_out(cookie, session)
        assert await here.actions() == [
            "sign_in.ended", "second_factor.disabled", "sign_in.refused", "second_factor.enabled", "member.accepted",
        ]  # fmt: skip
        page = await here.people.audit.page(here.account.id, limit=100, action="sign_in.")
        assert [entry.remote for entry in page.data] == ["", HERE.remote]
        assert all(entry.actor.name == "Ada" for entry in page.data)
