"""Star CloudPRNT: what the printer says, what it is told.

Only `statusCode` of a poll is certain to be there; every other field may be missing or null, and old firmware knows no
tokens. What cannot be understood counts as not said.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote

import msgspec

from tablegram.errors import Malformed
from tablegram.printing.printers.model import Status
from tablegram.printing.printers.profile import Columns, Profile
from tablegram.printing.transports.verdicts import PRINTED, Verdict
from tablegram.values import Json
from tablegram.values.clock import DAY_MS

MAX_POLL_BYTES = 16_384
# Best first. Every client prints pictures and plain text; which of the other two a printer speaks, it knows itself.
STARPRNT, LINE, PNG, TEXT = "application/vnd.star.starprnt", "application/vnd.star.line", "image/png", "text/plain"
AS_TEXT = (STARPRNT, LINE, PNG, TEXT)
AS_PICTURE = (PNG, STARPRNT, LINE, TEXT)
# Asked of a printer that is not known yet.
QUESTIONS = ("ClientType", "Encodings", "GetPollInterval", "PageInfo")
ASK_AGAIN_MS = DAY_MS
_DOTS_A_COLUMN = 12
_MAX_WORD = 200
_ERRORS = {
    410: Status(online=False, paper="out", error="paper_out"),
    411: Status(online=False, error="paper_jam"),
    412: Status(online=False, error="paper_position"),
    420: Status(online=False, cover="open", error="cover_open"),
}
_encode = msgspec.json.Encoder().encode


class KnownPrinter(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a printer has told of itself in answer to our questions, and which forms of a ticket it gave back."""

    device: str = ""
    encodings: tuple[str, ...] = ()
    poll_s: float = 0.0
    columns: Columns | None = None
    refused: tuple[str, ...] = ()
    # Another printer may have been put in its place.
    mac: str = ""
    asked_at: int = 0

    def is_due(self, now: int) -> bool:
        """Whether it is time to ask: what it said may have changed with its firmware or its paper."""
        return not 0 <= now - self.asked_at < ASK_AGAIN_MS


_decode_known = msgspec.json.Decoder(KnownPrinter).decode


class Poll(NamedTuple):
    code: int
    mac: str
    token: str
    printing: bool
    answers: Json


class PollQuery(NamedTuple):
    """What stands behind the question mark of a GET or DELETE."""

    mac: str
    media: str
    token: str
    code: str
    is_confirmation: bool


def read_poll(body: bytes) -> Poll:
    try:
        said = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise Malformed("The body is not a poll of CloudPRNT: a JSON object with a statusCode.")
    return Poll(
        code=read_code(_word(said.get("statusCode"))),
        mac=_word(said.get("printerMAC")),
        token=_word(said.get("jobToken")),
        printing=said.get("printingInProgress") is True,
        answers=_answers(said.get("clientAction")),
    )


def read_query(query_string: bytes) -> PollQuery:
    try:
        query = parse_qs(query_string.decode("latin-1"), keep_blank_values=True, max_num_fields=32)
    except ValueError:
        raise Malformed("The address has too many fields.") from None

    def first(name: str) -> str:
        return _word(query.get(name, [""])[0])

    return PollQuery(first("mac"), first("type"), first("token"), first("code"), "delete" in query)


def read_code(text: str) -> int:
    """`200%20OK`, `200 OK` and `OK` are 200; whatever is no number is a printer that works as far as we know."""
    number = unquote(text).strip().partition(" ")[0]
    return int(number) if number.isascii() and number.isdigit() and len(number) <= 4 else 200


def status_of(code: int, device: str = "") -> Status:
    """What a status code tells of the printer; one that nobody has listed is read by its first digit."""
    if code // 100 == 2:
        found = Status(paper="low" if code in (210, 211) else "ok", cover="closed")
    elif code // 100 == 5:
        # Of the job, not of the printer.
        found = Status()
    else:
        found = _ERRORS.get(code) or Status(online=False, error=f"status_{code}")
    return msgspec.structs.replace(found, device=device)


def verdict(code: int) -> Verdict:
    """What a confirmation means. A printer that stops in the middle has put a part of the ticket on paper."""
    if code // 100 == 2:
        return PRINTED
    if code == 520:
        return Verdict(False, "download_timeout")
    if code in (510, 511, 512, 521):
        return Verdict(False, f"media_{code}", other_form=True)
    known = _ERRORS.get(code)
    return Verdict(False, known.error if known else f"status_{code}", doubt=True)


def learn(known: KnownPrinter, answers: Json) -> KnownPrinter:
    """What answers to our questions add; a printer that answers with null has answered."""
    if not answers:
        return known
    device = _word(answers.get("ClientType")) or known.device
    spoken = tuple(one.strip().lower() for one in _word(answers.get("Encodings"), 1_000).replace(",", ";").split(";"))
    interval = _number(answers.get("GetPollInterval"))
    return msgspec.structs.replace(
        known,
        device=device,
        encodings=tuple(one for one in spoken if "/" in one)[:16] or known.encodings,
        poll_s=interval if 0 < interval <= 3_600 else known.poll_s,
        columns=_columns(answers.get("PageInfo")) or known.columns,
    )


def remember(learned: str, mac: str) -> KnownPrinter:
    """What was kept of this very printer, as far as it names itself."""
    try:
        known = _decode_known(learned) if learned else KnownPrinter(mac=mac)
    except msgspec.DecodeError:
        known = KnownPrinter(mac=mac)
    return known if mac in ("", known.mac) else KnownPrinter(mac=mac)


def keep(known: KnownPrinter) -> str:
    return _encode(known).decode()


def media_for(profile: Profile, known: KnownPrinter) -> tuple[str, ...]:
    """In which forms a ticket is offered, best first: what the printer says it reads, and none that it gave back."""
    wanted = AS_PICTURE if profile.mode == "raster" else AS_TEXT
    spoken = [one for one in wanted if one in known.encodings] or wanted
    return tuple(one for one in spoken if one not in known.refused) or (TEXT,)


def fitted(profile: Profile, known: KnownPrinter) -> Profile:
    """Never wider than the paper that is in the printer."""
    if known.columns is None or known.columns >= profile.columns:
        return profile
    dots = 384 if known.columns == 32 else profile.dots
    return msgspec.structs.replace(profile, columns=known.columns, dots=dots)


def nothing() -> bytes:
    return b'{"jobReady":false}'


def ask() -> bytes:
    """Questions, and no job beside them: a printer polls again at once to answer, and would let the job lie."""
    return _encode({"jobReady": False, "clientAction": [{"request": name, "options": ""} for name in QUESTIONS]})


def offer(token: str, media: tuple[str, ...]) -> bytes:
    return _encode({"jobReady": True, "mediaTypes": media, "jobToken": token, "deleteMethod": "DELETE"})


def _answers(said: Any) -> dict[str, Any]:
    """By the question; a printer may send null for the list, for an entry and for a result."""
    entries = said if isinstance(said, list) else []
    found = {}
    for entry in entries[:16]:
        if isinstance(entry, dict) and isinstance(entry.get("request"), str):
            found[entry["request"]] = entry.get("result")
    return found


def _columns(page: Any) -> Columns | None:
    """From the width that is printed on, in dots: a letter is twelve wide."""
    if isinstance(page, str):
        try:
            page = msgspec.json.decode(page)
        except msgspec.DecodeError:
            return None
    if not isinstance(page, dict):
        return None
    dots = _number(page.get("printWidth")) * (_number(page.get("horizontalResolution")) or 8.0)
    letters = int(dots + 0.5) // _DOTS_A_COLUMN
    return 48 if letters >= 48 else 42 if letters >= 42 else 32 if letters >= 24 else None


def _number(value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return 0.0
    return number if 0.0 <= number < 1e6 else 0.0


def _word(value: Any, most: int = _MAX_WORD) -> str:
    """A short text without control characters, or nothing."""
    return value[:most] if isinstance(value, str) and value.isprintable() else ""
