"""Star's and Epson's own languages say the same as ESC/POS, and pages and plain text do too."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from tablegram.printing.paper.document import Cut, Document, Drawer, Picture, Qr, Text
from tablegram.printing.paper.layouts.laying_out import lay_out
from tablegram.printing.paper.media import EPOS, ESCPOS, HTML, PLAIN, STAR_LINE, STARPRNT
from tablegram.printing.paper.rendering import render
from tablegram.printing.printers.profile import Profile
from tablegram.printing.tickets.content import TicketContent, TicketLine
from tablegram.sandbox.paper.decoder import Line, decode
from tests.cases import cases
from tests.printing.paper.samples import KINDS

_NAME = "{http://www.epson-pos.com/schemas/2011/03/epos-print}"
# Every command of Star that may come, by its whole length; whatever else begins with ESC is none.
_STAR = re.compile(
    rb"\x1b@|\x1b\x1dt(?P<page>.)|\x1b\x1da[\x00-\x02]|\x1bi[\x00-\x05][\x00-\x05]|\x1b[EF45]|\x1ba.|\x1bd3|"
    rb"\x1b\x1d\x07\x01..|\x07|\x1b\x1dyS[0-2].|\x1b\x1dyD1\x00..[!-~]+|\x1b\x1dyP\n",
    re.DOTALL,
)
_PAGES = {b"\x0c": "cp857", b"\x20": "cp1252", b"\x0a": "cp866"}


def _star_lines(raw: bytes) -> list[str]:
    page = next(_PAGES[found["page"]] for found in _STAR.finditer(raw) if found["page"])
    left = _STAR.sub(b"", raw)
    assert b"\x1b" not in left
    assert b"\x1d" not in left
    return left.decode(page).split("\n")[:-1]


def test_the_same_lines_come_out_of_every_makers_printer() -> None:
    with cases() as found:
        for name, (content, marks) in KINDS.items():
            for columns in (32, 48):
                with found.case(f"{name}-{columns}"):
                    document, profile = lay_out(content, marks=marks), Profile(columns=columns, buzzer=True)
                    lines = [seen for seen in decode(render(document, profile, ESCPOS)) if isinstance(seen, Line)]
                    texts = [line.text for line in lines]
                    assert _star_lines(render(document, profile, STARPRNT)) == texts
                    assert render(document, profile, STAR_LINE) == render(document, profile, STARPRNT)
                    root = ElementTree.fromstring(render(document, profile, EPOS))
                    said = [one for one in root.iter(f"{_NAME}text") if one.text]
                    assert [one.text for one in said] == [f"{text}\n" for text in texts]
                    # The way to the door is a code on every paper, and a drawing or a line where there are no codes.
                    way = "" if content.door is None else content.door.route_url
                    assert [one.text for one in root.iter(f"{_NAME}symbol")] == ([way] if way else [])
                    assert way.encode() in render(document, profile, STARPRNT)
                    assert way in render(document, profile, PLAIN).decode()
                    assert (b"paper-qr" in render(document, profile, HTML).split(b"<body")[1]) == bool(way)
                    for one, line in zip(said, lines, strict=True):
                        wanted = (str(line.wide), str(line.high), str(line.bold).lower(), str(line.reverse).lower())
                        assert tuple(one.get(key) for key in ("width", "height", "em", "reverse")) == wanted


def test_star_and_epson_cut_beep_open_and_draw_only_where_the_printer_can() -> None:
    document = Document((Drawer(), Picture(8, 2, b"\x81\x18"), Qr("hi <&>"), Text("ş"), Cut()))
    able = Profile(drawer=True, code_page="cp1254")
    star = render(document, able, STARPRNT)
    # Star has no such code page; the nearest that has a Turk's letters is taken.
    assert star.startswith(b"\x1b@\x1b\x1dt\x0c\x07")
    assert b"\x9f\n" in star
    assert star.endswith(b"\x1bd3")
    assert b"\x1b\x1dS\x01\x01\x00\x02\x00\x00\x81\x18" in star
    assert b"\x1b\x1dyD1\x00\x06\x00hi <&>\x1b\x1dyP" in star
    epos = ElementTree.fromstring(render(document, able, EPOS))
    assert [one.tag.removeprefix(_NAME) for one in epos] == ["text", "pulse", "image", "symbol", "text", "cut"]
    assert epos[2].text == "gRg="
    assert epos[3].text == "hi <&>"
    bare = Profile(cut=False)
    assert render(document, bare, STARPRNT).endswith(b"\x1ba\x05")
    assert b"<pulse" not in render(document, bare, EPOS)
    assert b"<cut" not in render(document, bare, EPOS)


def test_pages_and_plain_text_hold_what_the_ticket_says_and_nothing_that_somebody_smuggled_in() -> None:
    nasty = '<script>alert(1)</script> & "x" \x1b@ ]]>'
    content = TicketContent(
        kind="order", venue=nasty, order_id="ORD-1", station=nasty, table=nasty, notes=nasty, placed_at=0, time_zone="Mars/Base",
        lines=(TicketLine(quantity=1, name=nasty, options=(nasty,), notes=nasty, allergens=(nasty,), course=nasty),),
    )  # fmt: skip
    document = lay_out(content)
    page = render(document, Profile(columns=32), HTML).decode()
    assert "<script" not in page
    assert "\x1b" not in page
    assert "58mm" in page
    assert "&lt;script&gt;" in page
    assert "80mm" in render(document, Profile(columns=48), HTML).decode()
    ElementTree.fromstring(render(document, Profile(), EPOS))
    plain = render(document, Profile(columns=32), PLAIN).decode()
    assert "\x1b" not in plain
    assert all(len(line) <= 32 for line in plain.splitlines())
    assert "00:00" in plain
