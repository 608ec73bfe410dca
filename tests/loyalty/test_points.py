"""Orders that are completed and paid bring points, once; what goes back takes them; guests ask and are told."""

from __future__ import annotations

from typing import Any, Unpack

import msgspec
import pytest
from sqlalchemy import bindparam, select, update

from tablegram.crm.consent import ledger as consents
from tablegram.crm.consent.ledger import Word
from tablegram.engine.idempotency import Call
from tablegram.errors import Conflict, Invalid
from tablegram.flows.contacts.fields import ContactDraft
from tablegram.flows.contacts.services import ContactServices
from tablegram.flows.loyalty.desks.points_desk import PointsDesk
from tablegram.flows.loyalty.fields import ProgrammeFields, RateFields, TemplateFields
from tablegram.flows.loyalty.replies import day_of
from tablegram.flows.loyalty.services import LoyaltyServices, LoyaltyWorks
from tablegram.flows.restaurant.fields import LineFields
from tablegram.loyalty.asking import RewardsSaid, read
from tablegram.loyalty.ledger import months_after
from tablegram.loyalty.programme import find as find_programme
from tablegram.storage.database import Query
from tablegram.storage.tables import loyalty_movements, loyalty_programmes, loyalty_warnings
from tests.crm.pool import PHONE
from tests.restaurant.flows.house import House, house

pytestmark = pytest.mark.later

_KEEP_ONE = Query(
    update(loyalty_programmes).where(loyalty_programmes.c.account_id == 1).values(warn_template=bindparam("single"))
)
RATES: list[RateFields] = [{"currency": "TRY", "per": 10, "worth": 0.5}]


def desk(one: House) -> PointsDesk:
    return one.product.of(LoyaltyServices).points


async def switch_on(one: House, **fields: Unpack[ProgrammeFields]) -> None:
    await desk(one).change_programme(one.caller("owner"), {"is_on": True, "rates": RATES, **fields})


async def brought(one: House, *lines: LineFields, order_type: str = "takeaway", pays: bool = True) -> str:
    """An order of a guest who wrote, up to its end."""
    cart = await one.cart(*lines, table=None, order_type=order_type)
    await one.write(cart["text"])
    number = str((await one.placed())[-1]["order_id"])
    for step in ("finish", "pick_up", *(("pay", "complete") if pays else ())):
        await one.act(number, step)
    return number


async def moved(one: House) -> list[tuple[str, int, int, int]]:
    found = select(loyalty_movements).where(loyalty_movements.c.account_id == 1)
    rows = await one.db.all(Query(found.order_by(loyalty_movements.c.created_at, loyalty_movements.c.id)))
    return [(row["kind"], row["points"], row["short"], row["balance"]) for row in rows]


async def guest(one: House) -> str:
    return str((await one.placed())[-1]["contact_id"])


async def unsent(one: House) -> list[str]:
    """Why a guest was not told of their points, the newest first."""
    desk = one.product.of(ContactServices).unsent
    found = await desk.of_contact(one.caller("owner"), await guest(one), source="loyalty")
    assert {row.kind for row in found.data} <= {"points_expire"}
    return [row.reason for row in found.data]


async def give(one: House, points: int, reason: str = "Sorry", **call: Any) -> dict[str, Any]:
    answer = await desk(one).adjust(one.caller("owner"), await guest(one), points, reason, Call("adjust", **call))
    told: dict[str, Any] = msgspec.json.decode(answer.encoded().body)
    return told


async def test_an_order_brings_points_once_and_only_while_the_programme_is_on(database_url: str) -> None:
    async with house(database_url) as one:
        await brought(one)
        assert await moved(one) == []
        await switch_on(one)
        number = await brought(one)
        total = (await one.placed())[-1]["total"]
        points = total // 1_000
        assert await moved(one) == [("earn", points, 0, points)]
        with pytest.raises(Conflict):
            await one.act(number, "complete")
        [event] = await one.told("loyalty.")
        assert (event["kind"], event["points"], event["order_id"]) == ("earn", points, number)
        # What is not paid, or was let go, brings nothing.
        await brought(one, pays=False)
        assert len(await moved(one)) == 1
        # All of it goes back: the points go, and the same refund told again changes nothing.
        await one.act(number, "refund")
        await one.act(number, "refund")
        assert await moved(one) == [("earn", points, 0, points), ("reverse", -points, 0, 0)]


async def test_points_that_were_used_meanwhile_are_not_owed(database_url: str) -> None:
    async with house(database_url) as one:
        await switch_on(one)
        number = await brought(one)
        ((_, points, _, _),) = await moved(one)
        await give(one, -(points - 3), "Used at the till")
        with pytest.raises(Conflict) as refused:
            await give(one, -4)
        assert refused.value.code == "points_missing"
        await one.act(number, "refund")
        assert (await moved(one))[-1] == ("reverse", -3, points - 3, 0)
        with pytest.raises(Invalid) as unsaid:
            await give(one, 5, "  ")
        assert unsaid.value.code == "reason_missing"
        first, again = await give(one, 5, idempotency_key="k"), await give(one, 5, idempotency_key="k")
        assert first == again
        assert first["member"]["balance"] == 5
        assert first["member"]["worth"] == [{"currency": "TRY", "amount": 2.5}]


async def test_guests_ask_for_their_points_in_their_own_words(database_url: str) -> None:
    async with house(database_url) as one:
        await brought(one)
        before = len(await one.said())
        await one.write("PUANIM?")
        assert all("puan" not in text for text in (await one.said())[before:])
        await switch_on(one, expires_months=12)
        await one.write("Puanım")
        assert (await one.said())[-1] == "Henüz puanınız yok. Ödenen her siparişle puan kazanırsınız."
        await give(one, 120)
        await one.write("PUANIM NE KADAR?")
        assert (await one.said())[-1].startswith(
            "*120* puanınız var. Hesabınızdan ₺60,00 düşer.\n120 puanınızın süresi"
        )
        await one.write("my points??")
        assert (await one.said())[-1].startswith("You have *120* points. They take ₺60.00 off your bill.\n120 of them")
        assert len(await one.placed()) == 1


def test_only_a_whole_message_asks() -> None:
    asks = {
        "Points?": "en",
        "PUANIM": "tr",
        "puanım?": "tr",
        "Kaç puanım var": "tr",
        "How many points do I have?": "en",
    }
    for text, language in asks.items():
        assert read(text) == RewardsSaid("balance", language), text
    for text in ("2 lahmacun puanım", "points of interest", "", "?", "puan " * 200, "my points and two teas"):
        assert read(text) is None, text


async def test_points_go_by_in_their_order_and_only_who_agreed_is_told_ahead(database_url: str) -> None:
    async with house(database_url) as one:
        await switch_on(one, expires_months=1, warn_days=7)
        await brought(one)
        ((_, points, _, _),) = await moved(one)
        clock = one.product.of(LoyaltyWorks).clock
        one.clock.advance(10 * 86_400)
        await give(one, 100)
        # Those that go by first are used first.
        await give(one, -(points - 2))
        said = len(await one.said())
        one.clock.advance(16 * 86_400)
        await clock.see_to()
        assert len(await one.said()) == said
        contact = await guest(one)
        word = Word(account_id=1, contact_id=contact, state="granted", source="card", at=one.clock.now_ms())
        await one.db.write(lambda tx: consents.note(tx, [word]))
        one.clock.advance(6 * 86_400)
        await clock.see_to()
        await clock.see_to()
        assert (await moved(one))[-1] == ("expire", -2, 0, 100)
        one.clock.advance(5 * 86_400)
        # Within a day after they wrote, in plain words.
        await one.write("👍")
        said = len(await one.said())
        await clock.see_to()
        await clock.see_to()
        (told,) = (await one.said())[said:]
        assert "100" in told
        assert await unsent(one) == ["no_consent"]
        one.clock.advance(30 * 86_400)
        await clock.see_to()
        await clock.see_to()
        assert (await moved(one))[-1] == ("expire", -100, 0, 0)
        shown = await desk(one).member(one.caller("owner"), contact)
        assert shown.given == shown.redeemed + shown.expired + shown.taken
        figures = await desk(one).figures(one.caller("owner"), 90)
        assert (figures.given, figures.expired, figures.outstanding) == (points + 100, 102, 0)


async def test_who_is_silent_hears_by_a_template_and_without_one_a_row_says_why_not(database_url: str) -> None:
    async with house(database_url) as one:
        await switch_on(one, expires_months=1, warn_days=7)
        await brought(one)
        clock, contact = one.product.of(LoyaltyWorks).clock, await guest(one)
        word = Word(account_id=1, contact_id=contact, state="granted", source="card", at=one.clock.now_ms())
        await one.db.write(lambda tx: consents.note(tx, [word]))
        before = len(await one.said())
        one.clock.advance(25 * 86_400)
        await clock.see_to()
        await clock.see_to()
        assert len(await one.said()) == before
        assert await unsent(one) == ["window_closed"]
        template: TemplateFields = {
            "name": "points_soon",
            "language": "tr",
            "variables": ["first_name", "points", "day"],
        }
        german: TemplateFields = {**template, "language": "de"}
        wrong: dict[str, TemplateFields] = {
            "name": {**german, "name": "Points soon"},
            "language": {**german, "language": "turkish"},
            "variables": {**german, "variables": ["points"] * 11},
        }
        for field, second in wrong.items():
            with pytest.raises(Invalid) as found:
                await switch_on(one, warn_templates=[template, second])
            assert [error.field for error in found.value.errors] == [f"warn_templates[1].{field}"]
        with pytest.raises(Invalid, match="one for each language"):
            await switch_on(one, warn_templates=[template, template])
        # What was kept when there was a single one is read as before.
        single = msgspec.json.encode(template).decode()
        await one.db.write(lambda tx: tx.run(_KEEP_ONE, {"single": single}))
        assert msgspec.to_builtins((await desk(one).programme(one.caller("owner"))).warn_templates) == [template]
        # Ayşe wrote in Turkish; it stands second, and is hers.
        others: list[TemplateFields] = [{**template, "language": code, "variables": []} for code in ("en_US", "de")]
        await switch_on(one, warn_templates=[others[0], template, others[1]])
        rules = await one.db.snapshot(lambda tx: find_programme(tx, 1))
        spoken = (("en", "tr"), ("en-GB", "tr"), ("de", "tr"), ("ar", "de"), ("ar", "fr"))
        given = [getattr(rules.template_for(*pair), "language", "") for pair in spoken]
        assert given == ["en_US", "en_US", "de", "de", "en_US"]
        # Points that were spoken of are not spoken of again; new ones are.
        await clock.see_to()
        assert len(await one.said()) == before
        given_at = one.clock.now_ms()
        await give(one, 50)
        one.clock.advance(24 * 86_400)
        await clock.see_to()
        await clock.see_to()
        sent = (await one.pool.messages("out"))[-1]
        content = msgspec.json.decode(sent["content"])["content"]
        (body,) = content["components"]
        ends = day_of(months_after(given_at, 1), one.venue, "tr")
        assert (sent["text"], sent["category"], content["language"]) == ("points_soon", "marketing", "tr")
        assert [part["text"] for part in body["parameters"]] == ["Ayşe", "50", ends]
        assert await unsent(one) == ["window_closed"]
        # It goes with who is erased.
        await one.product.of(ContactServices).erasure.erase(one.caller("owner"), contact)
        assert await one.db.all(Query(select(loyalty_warnings).where(loyalty_warnings.c.account_id == 1))) == []


# Its statements are made for the occasion.
@pytest.mark.both
async def test_who_is_erased_leaves_figures_and_who_is_merged_takes_points_along(database_url: str) -> None:
    async with house(database_url) as one:
        await switch_on(one)
        await brought(one)
        ((_, points, _, _),) = await moved(one)
        contact = await guest(one)
        pool = one.product.of(ContactServices)
        made = await pool.pool.add(one.caller("owner"), ContactDraft(phone="905559998877"), Call("create"))
        other = made.value.id
        await pool.pool.merge(one.caller("owner"), contact, other, Call("merge"))
        assert (await desk(one).member(one.caller("owner"), contact)).balance == points
        (listed,) = (await desk(one).members(one.caller("owner"), q=PHONE)).data
        assert (listed.contact_id, listed.balance, listed.phone in (PHONE, "905559998877")) == (
            other,
            points,
            True,
        )
        await desk(one).adjust(one.caller("owner"), other, 5, "Ayşe, sorry for the soup", Call("adjust"))
        await pool.erasure.erase(one.caller("owner"), other)
        rows = await one.db.all(Query(select(loyalty_movements).where(loyalty_movements.c.account_id == 1)))
        assert sorted(row["kind"] for row in rows) == ["adjust", "earn", "expire"]
        assert {row["reason"] for row in rows} == {""}
        assert all(row["contact_id"].startswith("gone:") for row in rows)
        assert (await desk(one).members(one.caller("owner"))).data == []
        assert (await desk(one).figures(one.caller("owner"))).outstanding == 0
