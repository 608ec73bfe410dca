"""The bytes of tickets, read back as a printer reads them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tablegram.printing.paper.document import Cut, Document, Drawer, Feed, Picture, Qr, Rule, Text
from tablegram.printing.paper.layouts.laying_out import lay_out
from tablegram.printing.paper.layouts.layout import RECEIPT
from tablegram.printing.paper.media import ESCPOS
from tablegram.printing.paper.rendering import render
from tablegram.printing.printers.profile import Columns, Profile
from tablegram.printing.tickets.content import TicketContent, TicketLine
from tablegram.sandbox.paper.decoder import Code, Done, Dots, Line, Seen, Unknown, decode
from tests.cases import cases
from tests.printing.paper.samples import KINDS
from tests.printing.paper.samples import RECEIPT as BILL

_GOLDEN = Path(__file__).parent / "golden"
_PROFILES = {columns: Profile(columns=columns, buzzer=True, drawer=True) for columns in (32, 42, 48)}


def told(seen: Seen) -> str:
    """A line of a golden file."""
    if isinstance(seen, Line):
        marks = [f"{seen.wide}x{seen.high}" if (seen.wide, seen.high) != (1, 1) else "", "bold" if seen.bold else "",
                 "reverse" if seen.reverse else "", seen.align if seen.align != "left" else ""]  # fmt: skip
        return f"{' '.join(filter(None, marks)):<24}|{seen.text}"
    if isinstance(seen, Done):
        return f"[{seen.act} {seen.times}]"
    return f"[{seen!r}]"


def test_each_kind_of_ticket_is_what_its_golden_file_says_in_each_width() -> None:
    with cases() as found:
        for name, (content, marks) in KINDS.items():
            for columns, profile in _PROFILES.items():
                with found.case(f"{name}-{columns}"):
                    raw = render(lay_out(content, marks=marks), profile, ESCPOS)
                    printed = "".join(f"{told(seen).rstrip()}\n" for seen in decode(raw))
                    golden = _GOLDEN / f"{name}-{columns}.txt"
                    if os.environ.get("WRITE_GOLDEN"):
                        golden.write_text(printed)
                    assert printed == golden.read_text()


def test_the_decoder_reads_what_the_makers_documents_say() -> None:
    """Written by hand from the documents, so that the one who reads is not only checked by the one who writes."""
    assert decode(b"\x1b@\x1bt\x0d\x9ei\x9f\n") == [Line("Şiş")]
    assert decode(b"\x1bt\x10\x80\n") == [Line("€")]
    assert decode(b"\x1ba\x01\x1bE\x01\x1d!\x11\x1dB\x01AB\n\x1b@C\n") == [
        Line("AB", 2, 2, True, True, "center"), Line("C"),
    ]  # fmt: skip
    assert decode(b"\x1d!\x21x\n") == [Line("x", 3, 2)]
    assert decode(b"\x1bd\x03\x1bB\x02\x02\x1bp\x00\x19\xfa\x1dVB\x00\x1dV\x01") == [
        Done("feed", 3), Done("buzzer", 2), Done("drawer"), Done("cut"), Done("cut"),
    ]  # fmt: skip
    assert decode(b"\x1dv0\x00\x02\x00\x01\x00\x80\x01") == [Dots(16, 1, b"\x80\x01")]
    stored = b"\x1d(k\x04\x001A2\x00\x1d(k\x05\x001P0hi\x1d(k\x03\x001Q0"
    assert decode(stored) == [Code("hi")]
    for wrong in (
        b"\x1b",
        b"\x1bZ",
        b"\x1d(x",
        b"\x07",
        b"abc",
        b"\x1bt\xfe",
        b"\x1dv0\x00\x01\x00\x02\x00\x80",
        b"\x1c&",
    ):
        with pytest.raises(Unknown):
            decode(wrong)


def test_a_printer_is_asked_only_for_what_it_has() -> None:
    """Without knife, buzzer and drawer the paper comes out far enough to be torn, and nothing else is sent."""
    document = lay_out(BILL)
    bare = decode(render(document, Profile(cut=False), ESCPOS))
    assert [seen for seen in bare if isinstance(seen, Done)] == [Done("feed", 2), Done("feed", 5)]
    able = decode(render(document, Profile(drawer=True), ESCPOS))
    assert [seen.act for seen in able if isinstance(seen, Done)] == ["drawer", "feed", "cut"]


def test_pictures_codes_and_rules_reach_the_paper() -> None:
    dots = bytes(range(200)) * 3
    document = Document((Drawer(), Picture(8, 600, dots), Qr("https://a.example/ç"), Rule(), Text("x"), Feed(2), Cut()))
    seen = decode(render(document, Profile(columns=32), ESCPOS))
    assert b"".join(one.rows for one in seen if isinstance(one, Dots)) == dots
    assert Code("https://a.example/ç") in seen
    # A style ends with its block: what follows stands left again.
    assert Line("─" * 32) in seen
    assert Line("x") in seen


def test_sums_are_never_broken_and_no_row_is_wider_than_the_paper() -> None:
    with cases() as found:
        for amount in (0, -5, 99, 123_456_789_012, 10**12):
            for columns in (32, 42, 48):
                for currency, language in (("TRY", "tr"), ("EUR", "de"), ("USD", "en"), ("KWD", "en"), ("RUB", "ru")):
                    with found.case(f"{amount} {columns} {currency}"):
                        _whole_sum(amount, columns, currency, language)


def _whole_sum(amount: int, columns: Columns, currency: str, language: str) -> None:
    line = TicketLine(quantity=1, name="Wort " * 20 + "ü" * 60, amount=amount)
    content = TicketContent(
        kind="receipt", venue="V", lines=(line,), totals=(("Zwischensumme", amount), ("Summe", amount)),
        placed_at=0, time_zone="UTC", language=language, currency=currency,
    )  # fmt: skip
    printed = [
        seen
        for seen in decode(render(lay_out(content, RECEIPT), Profile(columns=columns), ESCPOS))
        if isinstance(seen, Line)
    ]
    for seen in printed:
        assert len(seen.text) * seen.wide <= columns, seen
    digits = f"{abs(amount)}"
    held = ["".join(sign for sign in seen.text if sign.isdigit()).lstrip("0") for seen in printed]
    assert sum(one.endswith(digits.lstrip("0")) for one in held) >= 3, held
