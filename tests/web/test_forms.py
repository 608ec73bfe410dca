"""Forms: few fields, small, their proof first, and no file of a stranger's on the disk."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from litestar import datastructures
from litestar.datastructures import UploadFile

from tablegram.errors import BodyTooLarge, FormRefused, Malformed, Problem, TooManyFields
from tablegram.web import forms
from tablegram.web.bodies import BodyReader
from tablegram.web.forms import FormLimits, FormReader, Pairs, Proof, close_files

EDGE = "an-edge"
URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = f"multipart/form-data; boundary={EDGE}"


def check(given: str) -> None:
    if given != "right":
        raise FormRefused("no")


PROOF = Proof("csrf", check)


def parts(*fields: tuple[str, str, str | None]) -> bytes:
    """Name, content, and the name of the file if it is one."""
    made = b""
    for name, content, filename in fields:
        of_file = f'; filename="{filename}"' if filename is not None else ""
        made += f'--{EDGE}\r\nContent-Disposition: form-data; name="{name}"{of_file}\r\n\r\n{content}\r\n'.encode()
    return made + f"--{EDGE}--\r\n".encode()


class Caller:
    """Sends a body piece by piece, and knows how much of it was read."""

    def __init__(self, body: bytes, piece: int = 64) -> None:
        self.left = [body[start : start + piece] for start in range(0, len(body), piece)] or [b""]
        self.read = 0

    async def receive(self) -> Any:
        if not self.left:
            return {"type": "http.disconnect"}
        part = self.left.pop(0)
        self.read += len(part)
        return {"type": "http.request", "body": part, "more_body": bool(self.left)}


async def read(caller: Caller, kind: str, limits: FormLimits | None = None, proof: Proof | None = None) -> Pairs:
    scope = {"headers": [(b"content-type", kind.encode())]}
    return await FormReader(BodyReader()).read(scope, caller.receive, limits or FormLimits(), proof)


async def test_both_kinds_of_form_say_the_same() -> None:
    fields = [("csrf", "right"), ("name", "Ayşe & Söhne"), ("name", "x=1"), ("empty", "")]
    typed = Caller(urlencode(fields).encode())
    split = Caller(parts(*[(name, value, None) for name, value in fields]))
    assert await read(typed, URLENCODED, proof=PROOF) == fields
    assert await read(split, MULTIPART, proof=PROOF) == fields


async def test_a_file_keeps_its_name_and_its_bytes() -> None:
    found = await read(
        Caller(parts(("a", "1", None), ("file", "content " * 50, "menu.csv"), ("none", "", ""))), MULTIPART
    )
    try:
        (_, file) = found[1]
        assert isinstance(file, UploadFile)
        assert (file.filename, await file.read()) == ("menu.csv", b"content " * 50)
        # A field for a file that nobody chose.
        assert found[2] == ("none", "")
    finally:
        await close_files(found)
    assert file.file.closed


@pytest.mark.parametrize("given", ["", "csrf=wrong&", "csrf=&", "scrf=right&", "csrf=wrong&csrf=right&"])
async def test_without_its_proof_nothing_of_a_form_is_parsed(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def parse(*_: Any, **__: Any) -> Any:
        raise AssertionError("it was parsed")

    monkeypatch.setattr(forms, "parse_qsl", parse)
    with pytest.raises(FormRefused):
        await read(Caller(f"{given}a=1&b=2".encode()), URLENCODED, proof=PROOF)


@pytest.mark.parametrize("kind", ["text/plain", "application/json", ""])
async def test_what_is_no_form_proves_nothing(kind: str) -> None:
    with pytest.raises(FormRefused):
        await read(Caller(b"csrf=right"), kind, proof=PROOF)
    assert await read(Caller(b"csrf=right"), kind) == []


@pytest.mark.parametrize(
    "first", [[], [("csrf", "wrong", None)], [("csrf", "right", "proof.txt")]], ids=["none", "a wrong one", "a file"]
)
async def test_a_file_before_its_proof_is_neither_read_nor_kept(
    first: list[tuple[str, str, str | None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def keep(*_: Any, **__: Any) -> Any:
        raise AssertionError("a file was opened")

    monkeypatch.setattr(datastructures, "UploadFile", type("Never", (), {"__init__": keep}))
    caller = Caller(parts(*first, ("file", "x" * 100_000, "large.bin"), ("csrf", "right", None)))
    with pytest.raises(FormRefused):
        await read(caller, MULTIPART, FormLimits(max_bytes=1_000_000), PROOF)
    assert caller.read < 1_000


@pytest.mark.parametrize("proof", [None, PROOF], ids=["proved by its header", "by its field"])
async def test_too_many_fields_are_refused_before_they_are_parsed(proof: Proof | None) -> None:
    limits = FormLimits(max_fields=10)
    fits = [("csrf", "right"), *[("a", "")] * 9]
    assert len(await read(Caller(urlencode(fits).encode()), URLENCODED, limits, proof)) == 10
    assert (
        len(await read(Caller(parts(*[(name, value, None) for name, value in fits])), MULTIPART, limits, proof)) == 10
    )
    for kind, body in (
        (URLENCODED, urlencode([*fits, ("a", "")]).encode()),
        (URLENCODED, b"csrf=right" + b"&" * 500),
        (MULTIPART, parts(*[(name, value, None) for name, value in [*fits, ("a", "")]])),
    ):
        with pytest.raises(TooManyFields):
            await read(Caller(body), kind, limits, proof)


async def test_text_is_bounded_also_where_files_may_be_large() -> None:
    limits = FormLimits(max_bytes=1_000_000, text_bytes=1_000)
    found = await read(Caller(parts(("file", "x" * 50_000, "a.bin"))), MULTIPART, limits)
    await close_files(found)
    for kind, body in ((URLENCODED, b"a=" + b"x" * 1_000), (MULTIPART, parts(*[("a", "x" * 400, None)] * 3))):
        with pytest.raises(BodyTooLarge):
            await read(Caller(body), kind, limits)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (MULTIPART, b"no parts at all"),
        (MULTIPART, parts(("a", "1", None))[:-20]),
        (MULTIPART, parts(("file", "x" * 500, "a.bin"))[:300]),
        ("multipart/form-data", parts(("a", "1", None))),
        (f"multipart/form-data; boundary={'x' * 3_000}", b""),
    ],
)
async def test_a_form_that_cannot_be_read_is_400(kind: str, body: bytes) -> None:
    with pytest.raises(Problem) as told:
        await read(Caller(body), kind)
    assert isinstance(told.value, Malformed)
