"""How a station's tickets look: what was chosen is printed, and what nobody may leave out stays."""

from __future__ import annotations

import io

import msgspec
import pytest
from PIL import Image

from tablegram.errors import Invalid, NotFound, ScopeMissing
from tablegram.flows.printing.layouts.answers import LayoutChoice
from tablegram.flows.restaurant.services import RestaurantServices
from tablegram.printing.paper.layouts.keeping import layout_for
from tablegram.printing.paper.layouts.laying_out import lay_out
from tablegram.printing.paper.layouts.layout import SECTIONS, Layout
from tablegram.printing.paper.layouts.sample import sample
from tablegram.printing.paper.media import ESCPOS, PLAIN
from tablegram.printing.paper.rendering import render
from tablegram.printing.printers.profile import Profile
from tablegram.printing.tickets.content import Marks
from tablegram.sandbox.paper.decoder import Dots, Line, decode
from tablegram.wiring.areas.printers import PrinterWays
from tests.printing.kitchen import kitchen
from tests.printing.paper.samples import ORDER, RECEIPT

pytestmark = pytest.mark.later


def _printed(layout: Layout, marks: Marks | None = None) -> str:
    return render(lay_out(ORDER, layout, marks or Marks()), Profile(), PLAIN).decode()


def test_what_is_chosen_is_printed_in_its_order_and_marks_are_always_there() -> None:
    bare = _printed(Layout(sections=("lines", "place"), allergens=False, courses=False), Marks(reprint=2, doubt=True))
    assert bare.index("Lahmacun") < bare.index("Masa 12")
    for gone in ("Ayşe", "İbrahim", "ORD-", "Acele", "Fıstık", "GLUTEN", "BAŞLANGIÇ", "MUTFAK"):
        assert gone not in bare
    assert bare.count("YENİDEN BASIM") == bare.count("BASILMIŞ OLABİLİR") == 2
    full = _printed(
        Layout(sections=SECTIONS, footer="Afiyet olsun\nTeşekkürler", link="https://a.example", language="de")
    )
    for there in ("Afiyet olsun", "Teşekkürler", "https://a.example", "Tisch 12", "GLUTEN", "Zugesagt um"):
        assert there in full
    # A language without words of ours has English ones; the dishes stay as they are.
    assert "Table 12" in _printed(Layout(language="fr"))


def test_a_sample_shows_everything_in_every_language_and_for_every_kind() -> None:
    for language in ("en", "tr", "de", "ar"):
        for kind in ("station", "pass", "receipt"):
            content = sample(kind, "Bar" if kind == "station" else "", "V", "Europe/Istanbul", language, "TRY")
            assert "12" in render(lay_out(content), Profile(columns=32), PLAIN).decode()


async def test_each_station_keeps_its_own_layout_and_others_look_as_usual(database_url: str) -> None:
    async with kitchen(database_url) as one:
        desk, owner, staff = one.services.layouts, one.owner, one.house.caller("staff")
        venue = one.house.venue.id
        listed = await desk.page(staff, venue)
        assert [(view.kind, view.station, view.is_own) for view in listed.data] == [
            ("station", "kitchen", False), ("station", "bar", False), ("pass", "", False), ("receipt", "", False),
        ]  # fmt: skip
        choice = LayoutChoice(
            sections=["place", "lines", "footer"], dishes="huge", footer="Kolay gelsin", language="tr"
        )
        for _ in range(2):
            chosen = await desk.choose(owner, venue, "station", "bar", choice)
            assert [view.is_own for view in chosen.data] == [False, True, False, False]
            assert chosen.data[1].layout == choice
        bar = msgspec.structs.replace(ORDER, station="bar")
        assert (await layout_for(one.db, 1, venue, bar)).footer == "Kolay gelsin"
        assert (await layout_for(one.db, 2, venue, bar)).footer == ""
        assert (await layout_for(one.db, 1, venue, RECEIPT)).prices is True
        await desk.choose(owner, venue, "receipt", "", msgspec.structs.replace(choice, prices=True))
        assert (await layout_for(one.db, 1, venue, RECEIPT)).dishes == "huge"
        again = await desk.choose(owner, venue, "station", "bar", None)
        assert [view.is_own for view in again.data] == [False, False, False, True]

        seen = await desk.preview(owner, venue, "station", "bar", choice, 32)
        assert "paper-32" in seen
        assert "Kolay gelsin" in seen
        with pytest.raises(ScopeMissing):
            await desk.choose(staff, venue, "station", "bar", choice)
        with pytest.raises(NotFound):
            await desk.page(owner, "ven_unknown")
        for kind, station, wrong in (
            ("station", "sauna", choice), ("station", "", choice), ("receipt", "bar", choice),
            ("station", "bar", msgspec.structs.replace(choice, sections=["lines", "notes"])),
            ("station", "bar", msgspec.structs.replace(choice, sections=["lines", "place", "place"])),
        ):  # fmt: skip
            with pytest.raises(Invalid):
                await desk.choose(owner, venue, kind, station, wrong)  # type: ignore[arg-type]


async def test_what_a_printer_fetches_looks_as_was_chosen_with_the_logo_of_the_house(database_url: str) -> None:
    async with kitchen(database_url) as one:
        venue, product = one.house.venue.id, one.house.product
        printer = await one.printer(
            "All", "kitchen", "bar", extras=["receipt"], kind="direct", profile={"host": "10.0.0.9"}
        )
        choice = LayoutChoice(sections=["place", "lines", "footer"], footer="Kolay gelsin")
        await one.services.layouts.choose(one.owner, venue, "station", "bar", choice)
        out = io.BytesIO()
        Image.new("RGB", (300, 100), "black").save(out, "PNG")
        services = product.of(RestaurantServices)
        image = await services.photos.put(one.owner, venue, out.getvalue())
        await services.venue_desk.update(one.owner, venue, {"logo_id": image.image_id})
        await one.take(table=None, order_type="takeaway", customer_name="Ayşe", customer_phone="905551112233")
        found = {}
        while (job := await one.jobs.next(printer)) is not None:
            raw = await product.of(PrinterWays).sheets.bytes_of(printer, job, printer.profile, ESCPOS)
            found[job.content.kind, job.content.station] = decode(raw)
            await one.jobs.printed(printer, job.id, job.fence)
        footers = {
            key: any(isinstance(row, Line) and row.text == "Kolay gelsin" for row in seen)
            for key, seen in found.items()
        }
        logos = {key: any(isinstance(row, Dots) for row in seen) for key, seen in found.items()}
        assert footers == {("order", "kitchen"): False, ("order", "bar"): True, ("receipt", ""): False}
        assert logos == {("order", "kitchen"): False, ("order", "bar"): False, ("receipt", ""): True}
