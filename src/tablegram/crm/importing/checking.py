"""A table of contacts, looked at row by row. It needs no store: a child process does it.

Good rows are kept as a plan until they are agreed to; of wrong ones is told which, and what is wrong.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from datetime import datetime
from itertools import islice
from typing import Literal
from zoneinfo import ZoneInfo

import msgspec

from tablegram.crm import birthdays
from tablegram.crm.importing.spreadsheets import Sheet, read_sheet
from tablegram.errors import FieldError, Invalid
from tablegram.values.folding import fold
from tablegram.values.phone import is_assigned, local_phone, parse_phone
from tablegram.workshop.ports import Job, Limits

MAX_ROWS = 100_000
# More wrong rows than this are counted and not listed.
MAX_LISTED = 1_000
# Of a wrong row as much of each cell is kept, until the table goes.
MAX_CELL = 300
HINT_DIGITS, HINT_CHARS, WHOLE_NUMBER = 4, 20, 7

# What is told of a consent, and how long it may be.
_SAID = {"consent_source": 200, "consent_text": 60, "consent_proof": 500}
_MOMENTS = ("", "%d.%m.%Y %H:%M:%S", "%d.%m.%Y %H:%M", "%d.%m.%Y", "%d/%m/%Y %H:%M", "%d/%m/%Y")
_CLOCK = ZoneInfo("Europe/Istanbul")

Existing = Literal["keep", "update"]
ConsentState = Literal["", "unknown", "granted", "denied"]

_YES = {"1", "yes", "y", "true", "granted", "opt-in", "in", "evet", "e", "var", "onayli", "verdi", "x", "✓", "✔"}
_NO = {"0", "no", "n", "false", "denied", "opt-out", "out", "hayir", "h", "yok", "onaysiz", "vermedi"}
_UNKNOWN = {"", "unknown", "bilinmiyor", "?", "-"}
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_LANGUAGES = {"turkce": "tr", "turkish": "tr", "ingilizce": "en", "english": "en", "almanca": "de", "german": "de",
              "arapca": "ar", "arabic": "ar", "rusca": "ru", "russian": "ru", "fransizca": "fr", "french": "fr"}  # fmt: skip
_SEPARATORS = re.compile(r"[\s().\-/\u00a0\u2010-\u2015]+")
_SHORT = re.compile(r"[+0-9 ()./-]{1,40}", re.ASCII)
_SCIENTIFIC = re.compile(r"[0-9][.,]?[0-9]*[eE]\+?[0-9]+")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """One good row."""

    phone: str
    name: str = ""
    language: str = ""
    tags: list[str] = []
    notes: str = ""
    consent: ConsentState = ""
    # When and where it was said, to which wording, and what shows it; 0 and empty where the table does not say so.
    consent_at: int = 0
    consent_source: str = ""
    consent_text: str = ""
    consent_proof: str = ""
    birthday: str = ""


class RowError(msgspec.Struct, frozen=True):
    """What is wrong with which row: the number of its line, the field, a stable code, and a hint of what stands there.

    It is kept for weeks, also of people who are erased meanwhile, so it tells nobody's name or number.
    """

    row: int
    field: str
    code: str
    value: str = ""


class RefusedRow(msgspec.Struct, frozen=True, array_like=True):
    """A wrong row as it stood in the table, so that people can put it right."""

    row: int
    cells: list[str]


class Checked(msgspec.Struct):
    """Every row of a table, looked at."""

    entries: list[Entry] = []
    refused: list[RefusedRow] = []
    errors: list[RowError] = []
    # Rows with an error, listed or not.
    wrong: int = 0
    ignored: list[str] = []


class Plan(msgspec.Struct, frozen=True):
    """What the store keeps of a table until it is in."""

    entries: list[Entry]
    existing: Existing = "update"
    source: str = ""
    # The wrong rows and what their columns are called. They hold names and numbers, and go with the table.
    headings: list[str] = []
    refused: list[RefusedRow] = []


_PLANS = msgspec.json.Decoder(Plan)


def pack(plan: Plan) -> bytes:
    return zlib.compress(msgspec.json.encode(plan), 3)


def unpack(raw: bytes) -> Plan:
    return _PLANS.decode(zlib.decompress(raw))


class Table(msgspec.Struct, frozen=True):
    """A file with contacts, and where they will have come from."""

    raw: bytes
    source: str
    # Where numbers without a country code are from: two letters, or nothing where that is not known.
    country: str = ""


class Looked(msgspec.Struct, frozen=True):
    """What came of a table: how many good rows, what is wrong with the others, and the good ones, packed."""

    total: int
    errors: str
    rows: bytes


# A full table takes some seconds.
CHECK = Job(
    work=f"{__name__}:look",
    made=Looked,
    limits=Limits(cpu_s=40, wall_s=90.0, memory_bytes=512 * 1_048_576, answer_bytes=32 * 1_048_576),
    too_much=FieldError(
        "file", "file_too_much_work", "This table takes too much work to read. Split it into files with fewer rows."
    ),
    unreadable=FieldError("file", "file_unreadable", "The table cannot be read. Save it again as CSV (UTF-8)."),
)


def look(table: Table) -> Looked:
    """Every row of a file. Raises `Invalid` on `file` for what is no table of contacts, or has no row."""
    sheet = read_sheet(table.raw)
    checked = check(sheet, table.country)
    if not checked.entries and not checked.wrong:
        raise Invalid.field("file", "file_empty", "The table has no rows below its first one.")
    plan = Plan(checked.entries, source=table.source, headings=sheet.headings, refused=checked.refused)
    return Looked(len(checked.entries), encode_errors(checked), pack(plan))


def check(sheet: Sheet, country: str = "") -> Checked:
    checker = _Checker(sheet, country)
    for count, (number, cells) in enumerate(sheet.rows()):
        if count == MAX_ROWS:
            raise Invalid.field("file", "too_many", f"A file may have at most {MAX_ROWS:,} rows. Split it.")
        checker.check(number, cells)
    return checker.checked


class _Checker:
    def __init__(self, sheet: Sheet, country: str) -> None:
        self._columns = sheet.columns
        self._country = country
        self._seen: dict[str, int] = {}
        self.checked = Checked(ignored=sheet.ignored)

    def check(self, number: int, cells: list[str]) -> None:
        given = {field: cells[column].strip() for column, field in self._columns.items() if column < len(cells)}
        errors: list[RowError] = []
        entry = _entry(number, given, errors, self._country)
        if entry is not None and not errors:
            first = self._seen.setdefault(entry.phone, number)
            if first != number:
                errors.append(RowError(number, "phone", "repeated", str(first)))
        if errors or entry is None:
            self.checked.wrong += 1
            room = MAX_LISTED - len(self.checked.errors)
            self.checked.errors += errors[: max(0, room)]
            if len(self.checked.refused) < MAX_LISTED:
                self.checked.refused.append(RefusedRow(number, [cell[:MAX_CELL] for cell in cells]))
        else:
            self.checked.entries.append(entry)


def _hint(field: str, value: str) -> str:
    """Enough to know a cell again: of a number the last digits, of a word its beginning, of a person nothing."""
    if field == "phone":
        digits = re.sub(r"\D", "", value)
        if len(digits) < WHOLE_NUMBER and _SHORT.fullmatch(value):
            # Too short to be anybody's number: it is shown as it stands there.
            return value
        return f"…{digits[-HINT_DIGITS:]}" if digits else ""
    if field in ("language", "birthday", "consent", "consent_at"):
        return value if len(value) <= HINT_CHARS else value[:HINT_CHARS] + "…"
    return ""


def _entry(number: int, given: dict[str, str], errors: list[RowError], country: str) -> Entry | None:
    def wrong(field: str, code: str) -> None:
        errors.append(RowError(number, field, code, _hint(field, given.get(field, ""))))

    name = given.get("name", "") or f"{given.get('first_name', '')} {given.get('last_name', '')}".strip()
    phone = read_phone(given.get("phone", ""), country)
    if isinstance(phone, RowProblem):
        wrong("phone", phone.code)
    for field, value, most in (("name", name, 200), ("notes", given.get("notes", ""), 10_000)):
        if len(value) > most:
            wrong(field, "too_long")
    language = _LANGUAGES.get(fold(given.get("language", "")), given.get("language", "").replace("_", "-"))
    if language and (len(language) > 35 or _LANGUAGE.fullmatch(language) is None):
        wrong("language", "language_unknown")
    birthday = birthdays.read(given.get("birthday", "").lstrip("'"))
    if birthday is None:
        wrong("birthday", "birthday_invalid")
    tags = _tags(given.get("tags", ""))
    if len(tags) > 50 or any(len(tag) > 60 for tag in tags):
        wrong("tags", "too_many" if len(tags) > 50 else "too_long")
    consent = _consent(given.get("consent"))
    said = {field: " ".join(_CONTROLS.sub("", given.get(field, "")).split()) for field in _SAID}
    at = read_moment(given.get("consent_at", ""))
    if consent is None:
        wrong("consent", "consent_unknown")
    elif consent == "granted" and not said["consent_proof"]:
        # Nobody can show afterwards that they agreed.
        wrong("consent", "proof_missing")
    if at is None:
        wrong("consent_at", "time_invalid")
    for field, most in _SAID.items():
        if len(said[field]) > most:
            wrong(field, "too_long")
    if errors or isinstance(phone, RowProblem) or consent is None or at is None or birthday is None:
        return None
    notes = _CONTROLS.sub("", given.get("notes", ""))
    shown = " ".join(_CONTROLS.sub("", name).split())
    return Entry(
        phone,
        shown,
        language,
        tags,
        notes,
        consent,
        at,
        said["consent_source"],
        said["consent_text"],
        said["consent_proof"],
        birthday,
    )


def read_moment(text: str) -> int | None:
    """When something was said, as table programs and people write it; 0 for an empty cell, nothing for what is no time.

    Without an offset it is by Turkey's clock, as the registry's own files are.
    """
    text = text.strip()
    if not text:
        return 0
    for form in _MOMENTS:
        try:
            moment = datetime.fromisoformat(text) if form == "" else datetime.strptime(text, form)  # noqa: DTZ007
        except ValueError:
            continue
        if 2000 <= moment.year <= 2999:
            return round((moment if moment.tzinfo else moment.replace(tzinfo=_CLOCK)).timestamp() * 1_000)
    return None


class RowProblem(msgspec.Struct, frozen=True):
    code: str


def read_phone(text: str, country: str = "") -> str | RowProblem:
    """A number as people write it: with a plus sign, two zeros, spaces, brackets and dashes.

    With a country (two letters), also as one calls it within that country. What can be read in two ways is refused.
    """
    # Our own export guards a leading plus sign with a quote; table programs mark a number kept as text so.
    text = text.lstrip("'")
    bare = _SEPARATORS.sub("", text)
    if len(bare) > 16 and len(parts := re.split(r"[\s,;/]+", text)) > 1:
        # Several numbers in one cell, as our own export writes them: the first one tells who it is.
        bare = _SEPARATORS.sub("", parts[0])
    if not bare:
        return RowProblem("phone_missing")
    if _SCIENTIFIC.fullmatch(bare) and "e" in bare.lower():
        return RowProblem("phone_scientific")
    digits = bare.removeprefix("+")
    if digits == bare and digits.startswith("00"):
        digits = digits[2:]
    elif digits.startswith("0"):
        local = local_phone(digits, country) if country and digits == bare else ""
        return local or RowProblem("phone_without_country" if not country else "phone_invalid")
    elif digits == bare and country and digits.isascii() and digits.isdecimal():
        local = local_phone(digits, country)
        if local and local != digits:
            return RowProblem("phone_ambiguous") if is_assigned(digits) else local
    try:
        return parse_phone(digits)
    except Invalid:
        return RowProblem("phone_invalid")


def _tags(text: str) -> list[str]:
    parts = [" ".join(_CONTROLS.sub("", part).split()) for part in re.split(r"[,;|\n]", text)]
    return list(dict.fromkeys(part for part in parts if part))


def _consent(text: str | None) -> ConsentState | None:
    if text is None:
        return ""
    word = fold(text)
    if word in _UNKNOWN:
        return ""
    return "granted" if word in _YES else "denied" if word in _NO else None


def encode_errors(checked: Checked) -> str:
    told = {"wrong": checked.wrong, "rows": checked.errors, "ignored": checked.ignored[:50]}
    return msgspec.json.encode(told).decode()


def sample(entries: Iterable[Entry], most: int = 5) -> list[Entry]:
    """The first rows, to show how the table was understood."""
    return list(islice(entries, most))
