"""Epson Server Direct Print: what the printer says, what it is told.

It posts forms, and hears 200 whatever happens: anything else would make it post again. Old firmware reads version 1.00 alone
and says so by a SchemaError; versions from 2.00 on name the job.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import parse_qs
from xml.parsers import expat

import msgspec

from tablegram.printing.printers.model import Status
from tablegram.printing.printers.profile import EpsonVersion
from tablegram.printing.transports.verdicts import PRINTED, Verdict

MAX_FORM_BYTES = 65_536
# Printers refuse more.
MAX_JOB_BYTES = 2_000_000
TIMEOUT_MS = 10_000
DEVICE = "local_printer"
_MAX_DEPTH, _MAX_ELEMENTS = 16, 1_000
_BEFORE: dict[EpsonVersion, EpsonVersion] = {"3.00": "2.00", "2.00": "1.00"}

# Nothing of the job came out: it never reached the paper.
_NOTHING_PRINTED = {
    "DeviceNotFound": "device_not_found",
    "PrintSystemError": "print_system",
    "EX_BADPORT": "device_not_found",
    "EX_DEVICE_BUSY": "busy",
    "EX_SPOOLER": "busy",
    "JobNotFound": "job_not_found",
    "TooManyRequests": "busy",
}
# It stopped, or did not tell: a part of the ticket may be on paper.
_MAYBE_PRINTED = {
    "EPTR_AUTOMATICAL": "fault",
    "EPTR_BATTERY_LOW": "battery_low",
    "EPTR_COVER_OPEN": "cover_open",
    "EPTR_CUTTER": "cutter",
    "EPTR_MECHANICAL": "fault",
    "EPTR_REC_EMPTY": "paper_out",
    "EPTR_UNRECOVERABLE": "broken",
    "EX_TIMEOUT": "no_answer",
    "EX_ENPC_TIMEOUT": "no_answer",
    "ERROR_WAIT_EJECT": "wait_eject",
    "Printing": "no_answer",
}
# Bits of the printer's own status word.
_NO_RESPONSE, _OFFLINE, _COVER = 0x1, 0x8, 0x20
_MECHANICAL, _CUTTER, _UNRECOVERABLE = 0x400, 0x800, 0x2000
_NEAR_END, _PAPER_END = 0x20000, 0x80000


class Request(NamedTuple):
    kind: str
    name: str
    document: str


class JobResult(NamedTuple):
    """What became of a job. Version 1.00 does not say of which."""

    job_id: str
    success: bool
    code: str
    status: int | None


class Unreadable(Exception):
    """The printer's XML is none that we read."""


def read_form(body: bytes) -> Request:
    """Unknown kinds and missing fields are empty: the printer hears 200 all the same."""
    try:
        form = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=16)
    except ValueError:
        return Request("", "", "")

    def first(*names: str) -> str:
        return next((form[name][0] for name in names if form.get(name)), "")

    name = first("Name") or first("ID")
    kind = first("ConnectionType")
    # The manual's table and its example name the field of a status notice differently.
    document = first("Status", "ResponseFile") if kind == "SetStatus" else first("ResponseFile")
    return Request(kind, name[:80] if name.isprintable() else "", document)


def offer(job_id: str, version: EpsonVersion, print_data: bytes) -> bytes:
    """One job: the answer of a 1.00 printer names none, and so can only be about this one."""
    named = b"" if version == "1.00" else b"<printjobid>%b</printjobid>" % job_id.encode()
    return (
        b'<?xml version="1.0" encoding="utf-8"?>'
        b'<PrintRequestInfo Version="%b"><ePOSPrint><Parameter><devid>%b</devid><timeout>%d</timeout>%b</Parameter>'
        b"<PrintData>%b</PrintData></ePOSPrint></PrintRequestInfo>"
    ) % (version.encode(), DEVICE.encode(), TIMEOUT_MS, named, _without_head(print_data))


def read_result(document: str) -> JobResult:
    """The first response in any of the three versions."""
    job_id, result, wrong = "", None, False
    for path, attributes, text in _elements(document):
        name = path[-1]
        if name == "printjobid" and not job_id:
            job_id = text.strip()[:40]
        elif name == "response" and result is None:
            result = attributes
        elif name == "Response" and "ServerDirectPrint" in path:
            # 3.00 tells in this way that our own document cannot be read.
            wrong = attributes.get("Success", "").lower() == "false"
    if result is not None:
        success = result.get("success", "").lower() in ("true", "1")
        return JobResult(job_id, success, result.get("code", "")[:40], _word(result.get("status", "")))
    if wrong:
        return JobResult(job_id, False, "SchemaError", None)
    raise Unreadable("the document has no response")


def read_status(document: str) -> int | None:
    for path, attributes, _ in _elements(document):
        if path[-1] == "printerstatus":
            return _word(attributes.get("asbstatus", ""))
    return None


def verdict(result: JobResult) -> Verdict:
    if result.success:
        return PRINTED
    if result.code in ("SchemaError", "RequestEntityTooLarge"):
        code = "schema_refused" if result.code == "SchemaError" else "too_large"
        return Verdict(False, code, other_form=True)
    if result.code in _NOTHING_PRINTED:
        return Verdict(False, _NOTHING_PRINTED[result.code])
    return Verdict(False, _MAYBE_PRINTED.get(result.code, "refused"), doubt=True)


def status_of(word: int | None, device: str = "", code: str = "") -> Status:
    """What the status word tells; without one, what the code of a failed job does."""
    if word is None or word & _NO_RESPONSE:
        error = _MAYBE_PRINTED.get(code) or _NOTHING_PRINTED.get(code, "")
        if word is None and not error:
            return Status(device=device)
        found = Status(online=False, error=error or "offline")
    elif word & _PAPER_END:
        found = Status(online=False, paper="out", error="paper_out")
    elif word & _COVER:
        found = Status(online=False, cover="open", error="cover_open")
    elif word & _CUTTER:
        found = Status(online=False, error="cutter")
    elif word & (_MECHANICAL | _UNRECOVERABLE):
        found = Status(online=False, error="fault")
    elif word & _OFFLINE:
        found = Status(online=False, error="offline")
    else:
        found = Status(paper="low" if word & _NEAR_END else "ok", cover="closed")
    return msgspec.structs.replace(found, device=device)


def older(version: EpsonVersion) -> EpsonVersion | None:
    """What to try with a printer that does not read this version."""
    return _BEFORE.get(version)


def remember(learned: str) -> EpsonVersion | None:
    """What was kept of a printer that did not read a newer version."""
    return next((version for version in _BEFORE.values() if version == learned), None)


def _without_head(document: bytes) -> bytes:
    return document.partition(b"?>")[2].lstrip() if document.startswith(b"<?xml") else document


def _word(text: str) -> int | None:
    try:
        word = int(text, 16) if text.lower().startswith("0x") else int(text)
    except ValueError:
        return None
    return word & 0xFFFFFFFF if len(text) <= 20 else None


def _elements(document: str) -> list[tuple[tuple[str, ...], dict[str, str], str]]:
    """Every element with its path and text. No types are declared, nothing is fetched, and there is a bound to all of it."""
    if len(document) > MAX_FORM_BYTES:
        raise Unreadable("the document is too large")
    found: list[tuple[tuple[str, ...], dict[str, str], list[str]]] = []
    path: list[str] = []
    open_ones: list[int] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(path) >= _MAX_DEPTH or len(found) >= _MAX_ELEMENTS:
            raise Unreadable("the document has too many elements")
        path.append(name.rpartition(":")[2])
        open_ones.append(len(found))
        found.append((tuple(path), attributes, []))

    def end(name: str) -> None:
        path.pop()
        open_ones.pop()

    def text(data: str) -> None:
        if open_ones:
            found[open_ones[-1]][2].append(data)

    def refuse(*_: object) -> None:
        raise Unreadable("the document declares types")

    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    try:
        parser.Parse(document.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        raise Unreadable("the document is not XML") from error
    return [(where, attributes, "".join(said)) for where, attributes, said in found]
