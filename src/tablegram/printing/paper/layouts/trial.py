"""The test page of a printer: whoever looks at it sees whether width, letters and faces are set up well."""

from __future__ import annotations

from collections.abc import Iterator

from tablegram.printing.paper.document import Block, Columns, Feed, Rule, Text
from tablegram.printing.paper.layouts.words import station_name, word
from tablegram.printing.paper.letters import upper

# Each with letters that only some printers have.
SAMPLES = (
    "ÇĞİÖŞÜ çğıöşü",
    "ÄÖÜ äöüß éèêñ",
    "₺ 1.234,50 · 9,90 €",
    "Кофе · Καφές",
    "شاورما دجاج",
    "宫保鸡丁",
    "Adana 🌶️ “extra”",
)
_RULER = "1234567890" * 5


def trial_sheet(venue: str, station: str, clock: str, language: str) -> Iterator[Block]:
    yield Text(upper(word("test", language), language), 2, 2, bold=True, align="center")
    yield Text(venue, bold=True, align="center")
    yield Columns(station_name(station, language), clock)
    yield Rule(heavy=True)
    # From edge to edge: a printer with fewer columns breaks one of them.
    for columns in (32, 42, 48):
        yield Text(word("columns", language, columns=columns))
        yield Text(_RULER[:columns])
    yield Rule()
    yield Text(word("signs", language), bold=True)
    for sample in SAMPLES:
        yield Text(sample)
    yield Rule()
    yield Text(word("faces", language), bold=True)
    yield Text("2 × Çay", 2, 2, bold=True)
    yield Text("7", 3, 3, bold=True)
    yield Text(word("reversed", language), bold=True, reverse=True)
    yield Text(word("boxed", language), box=True)
    yield Text(word("removed", language), strike=True)
    yield Rule()
    yield Text(word("read", language))
    yield Feed(1)
