"""What printers say is read, and what they cannot read is not told to them: every code, null, and hostile bytes."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from tablegram.errors import Malformed
from tablegram.printing.printers.model import Status
from tablegram.printing.printers.profile import Profile
from tablegram.printing.transports import cloudprnt, epson, proofs
from tablegram.printing.transports.cloudprnt import KnownPrinter
from tablegram.printing.transports.epson import JobResult
from tablegram.values import Json

# What each code of CloudPRNT means: can it print, is the job printed, may some of it be on paper, does another form help?
STAR_CODES = {
    "200 OK": (True, True, False, False),
    "200%20OK": (True, True, False, False),
    "OK": (True, True, False, False),
    "201 Paper taken": (True, True, False, False),
    "210 Paper low": (True, True, False, False),
    "211 Paper low": (True, True, False, False),
    "220 Printing": (True, True, False, False),
    "221 Paper present": (True, True, False, False),
    "410 Out of paper": (False, False, True, False),
    "411 Paper jam": (False, False, True, False),
    "412 Roll position": (False, False, True, False),
    "420 Cover open": (False, False, True, False),
    "499 Unheard of": (False, False, True, False),
    "510 Incompatible media": (True, False, False, True),
    "511 Decode error": (True, False, False, True),
    "512 Media version": (True, False, False, True),
    "520 Download timeout": (True, False, False, False),
    "521 Job too large": (True, False, False, True),
}


def test_every_status_code_of_star_has_its_meaning() -> None:
    for text, wanted in STAR_CODES.items():
        code = cloudprnt.read_code(text)
        verdict = cloudprnt.verdict(code)
        found = (cloudprnt.status_of(code).can_print, verdict.printed, verdict.doubt, verdict.other_form)
        assert found == wanted, text
        assert verdict.printed != bool(verdict.code), text
    assert cloudprnt.status_of(410) == Status(online=False, paper="out", error="paper_out")
    assert cloudprnt.status_of(420).cover == "open"
    assert cloudprnt.status_of(211).paper == "low"


def test_a_poll_may_hold_nulls_or_nothing_and_never_more_than_it_says() -> None:
    bare = cloudprnt.read_poll(b'{"statusCode":"200%20OK"}')
    assert bare == (200, "", "", False, {})
    names = (
        "status",
        "printerMAC",
        "uniqueID",
        "jobToken",
        "printingInProgress",
        "clientAction",
        "display",
        "keyboard",
    )
    assert cloudprnt.read_poll(json.dumps({"statusCode": "200 OK", **dict.fromkeys(names)}).encode()) == bare
    odd = {
        "statusCode": 7,
        "printerMAC": ["x"],
        "jobToken": {},
        "printingInProgress": "yes",
        "clientAction": {"request": 1},
    }
    assert cloudprnt.read_poll(json.dumps(odd).encode()) == bare
    answers = [None, 3, {"request": None}, {"request": "Encodings"}, {"request": "GetPollInterval", "result": None}]
    said = cloudprnt.read_poll(json.dumps({"statusCode": "200 OK", "clientAction": answers}).encode())
    assert cloudprnt.learn(KnownPrinter(), said.answers) == KnownPrinter()
    for hostile in (b"", b"[]", b"null", b"\xff", b'{"a":', b"[" * 5_000, b'{"a":' * 5_000):
        with pytest.raises(Malformed):
            cloudprnt.read_poll(hostile)
    control = cloudprnt.read_poll(b'{"statusCode":"200 OK","printerMAC":"a\\u0000b","jobToken":"x\\ny"}')
    assert (control.mac, control.token) == ("", "")


def test_a_printer_is_asked_once_and_what_it_answers_shapes_what_it_is_offered() -> None:
    assert [one["request"] for one in json.loads(cloudprnt.ask())["clientAction"]] == list(cloudprnt.QUESTIONS)
    page = {"paperWidth": 58, "printWidth": 48, "horizontalResolution": 8, "verticalResolution": 8}
    told: Json = {
        "ClientType": "Star mC-Print2",
        "Encodings": "image/png; Text/Plain",
        "GetPollInterval": "5",
        "PageInfo": page,
    }
    known = cloudprnt.learn(KnownPrinter(), told)
    assert known == KnownPrinter("Star mC-Print2", ("image/png", "text/plain"), 5.0, 32)
    assert cloudprnt.remember(cloudprnt.keep(known), "") == known
    for nonsense in ("{", "[]", '{"poll_s":"x"}'):
        assert cloudprnt.remember(nonsense, "1") == KnownPrinter(mac="1")
    assert json.loads(cloudprnt.nothing()) == {"jobReady": False}
    assert cloudprnt.media_for(Profile(), known) == ("image/png", "text/plain")
    assert cloudprnt.media_for(Profile(), KnownPrinter()) == cloudprnt.AS_TEXT
    assert cloudprnt.media_for(Profile(mode="raster"), KnownPrinter())[0] == "image/png"
    assert cloudprnt.media_for(Profile(), msgspec.structs.replace(known, refused=("image/png",))) == ("text/plain",)
    assert cloudprnt.media_for(Profile(), msgspec.structs.replace(known, refused=cloudprnt.AS_TEXT)) == ("text/plain",)
    # Never wider than the paper, and never wider than what was set.
    assert cloudprnt.fitted(Profile(columns=48), known).columns == 32
    assert cloudprnt.fitted(Profile(columns=48), known).dots == 384
    wide = cloudprnt.learn(KnownPrinter(), {"PageInfo": json.dumps({**page, "printWidth": 72})})
    assert cloudprnt.fitted(Profile(columns=32), wide).columns == 32
    for width, columns in ((72, 48), (64, 42), (48, 32), (51, 32), (10, None), (-5, None), ("x", None), (1e99, None)):
        assert cloudprnt.learn(KnownPrinter(), {"PageInfo": {**page, "printWidth": width}}).columns == columns, width
    answers: list[Any] = ["0", "-1", "9999999", "soon", [], {}, None, "nan"]
    for odd in answers:
        assert cloudprnt.learn(KnownPrinter(), {"GetPollInterval": odd}).poll_s == 0.0, odd


def test_what_stands_behind_the_question_mark() -> None:
    query = cloudprnt.read_query(b"mac=00:11&type=image%2Fpng&token=pj.3")
    assert query == ("00:11", "image/png", "pj.3", "", False)
    for confirmation in (b"mac=1&code=200%20OK&delete", b"delete&code=OK", b"mac=1&delete=&code=OK"):
        assert cloudprnt.read_query(confirmation).is_confirmation
    assert cloudprnt.read_query(b"").media == ""
    with pytest.raises(Malformed):
        cloudprnt.read_query(b"&".join(b"a%d=1" % number for number in range(100)))


EPSON = 'xmlns="http://www.epson-pos.com/schemas/2011/03/epos-print"'


def test_results_of_every_version_are_read() -> None:
    first = f'<PrintResponseInfo Version="1.00"><response {EPSON} success="false" code="EX_BADPORT" status="1" battery="0"/></PrintResponseInfo>'
    assert epson.read_result(first) == JobResult("", False, "EX_BADPORT", 1)
    second = (
        '<?xml version="1.0" encoding="UTF-8"?><PrintResponseInfo Version="2.00"><ePOSPrint><Parameter><devid>local_printer</devid>'
        '<printjobid>ABC.1</printjobid></Parameter><PrintResponse><e:response xmlns:e="x" success="true" code="" status="251854870"/>'
        "</PrintResponse></ePOSPrint></PrintResponseInfo>"
    )
    assert epson.read_result(second) == JobResult("ABC.1", True, "", 251854870)
    third = (
        '<PrintResponseInfo Version="3.00"><ServerDirectPrint><Response Success="false"><ErrorSummary>x</ErrorSummary>'
        "</Response></ServerDirectPrint></PrintResponseInfo>"
    )
    assert epson.read_result(third).code == "SchemaError"
    status = '<statusmonitor Version="1.00"><printerstatus devicename="local_printer" asbstatus="0x0F00003C"/></statusmonitor>'
    assert epson.read_status(status) == 0x0F00003C
    assert epson.status_of(0x0F00003C).cover == "open"
    for field in ("Status", "ResponseFile"):
        assert epson.read_form(f"ConnectionType=SetStatus&ID=1&{field}=%3Ca/%3E".encode()).document == "<a/>"


def test_every_code_of_epson_says_whether_it_may_be_on_paper() -> None:
    unsure = (
        "EPTR_AUTOMATICAL EPTR_BATTERY_LOW EPTR_COVER_OPEN EPTR_CUTTER EPTR_MECHANICAL EPTR_REC_EMPTY EPTR_UNRECOVERABLE "
        "EX_TIMEOUT EX_ENPC_TIMEOUT ERROR_WAIT_EJECT Printing SomethingNew"
    )
    sure = "DeviceNotFound PrintSystemError EX_BADPORT EX_DEVICE_BUSY EX_SPOOLER JobNotFound TooManyRequests"
    for codes, doubt in ((unsure, True), (sure, False)):
        for code in codes.split():
            verdict = epson.verdict(JobResult("", False, code, None))
            assert (verdict.printed, verdict.doubt, verdict.other_form) == (False, doubt, False), code
    for code in ("SchemaError", "RequestEntityTooLarge"):
        assert epson.verdict(JobResult("", False, code, None)).other_form
    assert epson.verdict(JobResult("x", True, "", None)).printed
    assert epson.status_of(None, code="EPTR_REC_EMPTY").can_print is False
    assert epson.status_of(None) == Status()
    assert epson.status_of(0x80002) == Status(online=False, paper="out", error="paper_out")
    assert epson.status_of(0x20002).paper == "low"
    assert [epson.older(version) for version in ("3.00", "2.00", "1.00")] == ["2.00", "1.00", None]


def test_xml_of_strangers_declares_nothing_and_has_a_bound() -> None:
    laughs = '<!DOCTYPE a [<!ENTITY b "x"><!ENTITY c "&b;&b;">]><PrintResponseInfo><response success="true">&c;</response></PrintResponseInfo>'
    outside = '<!DOCTYPE a SYSTEM "file:///etc/passwd"><response success="true"/>'
    entity = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><response success="true" code="&x;"/>'
    deep = "<a>" * 200 + "</a>" * 200
    many = "<a>" + "<b/>" * 5_000 + "</a>"
    large = f'<response success="true">{"x" * 70_000}</response>'
    for document in (laughs, outside, entity, deep, many, large, "", "<", "no", "<a>&undefined;</a>", "\ud800", "<a/>"):
        with pytest.raises(epson.Unreadable):
            epson.read_result(document)
    for body in (b"", b"\xff\xfe", b"=", b"ConnectionType", b"&".join([b"a=1"] * 500)):
        assert epson.read_form(body).kind == ""


def test_a_job_is_named_from_the_second_version_on() -> None:
    data = b'<?xml version="1.0"?><epos-print xmlns="x"><text>\xc3\x87ay</text></epos-print>'
    assert b"printjobid" not in epson.offer("J.1", "1.00", data)
    for version in ("2.00", "3.00"):
        document = epson.offer("J.1", version, data)
        assert b"<printjobid>J.1</printjobid>" in document
        assert document.count(b"<?xml") == 1
        assert f'Version="{version}"'.encode() in document


def test_basic_and_digest_let_in_who_knows_the_password() -> None:
    right = "Basic " + base64.b64encode("star:pâss".encode()).decode()
    assert proofs.is_basic(right, "star", "pâss")
    for wrong in (
        "",
        "Basic",
        "Basic !!",
        "Bearer x",
        right[:-4],
        "Basic " + base64.b64encode(b"star:").decode(),
        "Basic " + "A" * 2_000,
    ):
        assert not proofs.is_basic(wrong, "star", "pâss"), wrong

    digest = proofs.Digest(b"secret")
    for algorithm, make in (("MD5", hashlib.md5), ("SHA-256", hashlib.sha256)):
        challenge = next(one for one in digest.challenges() if algorithm in one)
        nonce = challenge.split('nonce="')[1].split('"')[0]

        def proof(
            password: str = "pw",
            path: str = "/print/epson/k",
            nonce: str = nonce,
            make: Callable[[bytes], Any] = make,
            algorithm: str = algorithm,
            realm: str = proofs.REALM,
        ) -> str:
            def hashed(text: str) -> str:
                return str(make(text.encode()).hexdigest())

            inner = f"{hashed(f'ep:{realm}:{password}')}:{nonce}:00000001:c:auth:{hashed(f'POST:{path}')}"
            return (
                f'Digest username="ep", realm="{realm}", nonce="{nonce}", uri="{path}", algorithm={algorithm}, '
                f'qop=auth, nc=00000001, cnonce="c", response="{hashed(inner)}"'
            )

        def check(header: str) -> tuple[bool, bool]:
            return digest.check(header, "POST", "/print/epson/k", "ep", "pw")

        assert check(proof()) == (True, False)
        assert check(proof("other")) == (False, False)
        assert check(proof(path="/print/epson/other")) == (False, False)
        assert check(proof(realm="else")) == (False, False)
        old = digest._nonce(1_000)
        assert check(proof(nonce=old)) == (False, True)
        assert check(proof(nonce="1000.forged")) == (False, False)
        assert digest.check(proof(), "GET", "/print/epson/k", "ep", "pw") == (False, False)
    for odd in ("", "Digest", "Digest a", 'Digest username="ep"', "Digest " + 'x="' * 500, "Basic eA=="):
        assert digest.check(odd, "POST", "/print/epson/k", "ep", "pw") == (False, False)
