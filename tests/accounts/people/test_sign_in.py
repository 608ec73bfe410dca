"""Who comes in, and who does not."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select

from tablegram.accounts.people.entrance import Origin
from tablegram.errors import Conflict, Gone, Invalid, NotFound, Problem, TooMany, Unauthorized
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import panel_links, panel_sessions, people, recovery_codes
from tests.accounts.people.visitors import EMAIL, HERE, PASSWORD, place, token_of
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
