"""Small answers for who can unpack them; no stream held back; no secret that a length could tell."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

from tablegram.web.compression import compressing, mask, unmask
from tests.panel.visiting import house

HTML = b"text/html; charset=utf-8"


async def sent(kind: bytes, *parts: bytes, **fields: str) -> list[Any]:
    scope = {"headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in fields.items()]}
    found: list[Any] = []

    async def send(message: Any) -> None:
        found.append(message)

    packing = compressing(scope, send)
    length = b"%d" % sum(map(len, parts))
    await packing(
        {
            "type": "http.response.start",
            "status": 200,
            "headers": [(b"content-type", kind), (b"content-length", length)],
        }
    )
    for number, part in enumerate(parts, 1):
        await packing({"type": "http.response.body", "body": part, "more_body": number < len(parts)})
    return found


async def test_a_page_goes_out_packed_with_its_own_length() -> None:
    start, body = await sent(HTML, b"<p>hello</p>" * 500, accept_encoding="br, gzip")
    fields = dict(start["headers"])
    assert fields[b"content-encoding"] == b"gzip"
    assert fields[b"content-length"] == b"%d" % len(body["body"])
    assert gzip.decompress(body["body"]) == b"<p>hello</p>" * 500


async def test_what_is_small_streamed_no_text_or_asked_for_by_another_site_goes_as_it_is() -> None:
    large = b"x" * 5_000
    for kind, parts, fields in (
        (HTML, (b"x" * 100,), {"accept_encoding": "gzip"}),
        (HTML, (large, large), {"accept_encoding": "gzip"}),
        (b"text/event-stream", (large,), {"accept_encoding": "gzip"}),
        (b"image/webp", (large,), {"accept_encoding": "gzip"}),
        (HTML, (large,), {"accept_encoding": "gzip", "sec_fetch_site": "cross-site"}),
        (HTML, (large,), {}),
    ):
        start, *bodies = await sent(kind, *parts, **fields)
        assert b"content-encoding" not in dict(start["headers"]), (kind, fields)
        assert tuple(message["body"] for message in bodies) == parts


def test_a_mask_differs_each_time_and_hides_the_same_secret() -> None:
    secret = "a-token-of-some-length_0123456789"
    masks = {mask(secret) for _ in range(50)}
    assert len(masks) == 50
    assert {unmask(one) for one in masks} == {secret}
    for wrong in ("", secret, "x", "ğ", masks.pop()[:-4]):
        assert unmask(wrong) != secret


async def test_the_panels_pages_are_packed_and_show_no_two_equal_proofs(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        plain = await owner.get("/panel/")
        packed = await owner.get("/panel/", **{"accept-encoding": "gzip"})
        assert packed.headers["content-encoding"] == "gzip"
        assert len(packed.raw) < len(plain.raw) / 3
        assert b"</html>" in gzip.decompress(packed.raw)
        first, second = await owner.csrf(), await owner.csrf()
        assert first != second
        assert (await owner.post("/panel/language", {"language": "tr"}, csrf=first)).status == 303
        assert (await owner.post("/panel/language", {"language": "tr"}, csrf=first[:-8])).status == 403
