"""The documentation at /docs: packed once, kept by browsers, opened when it is asked for, and in words when it is not there."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import NamedTuple

from tablegram.docs_site.app import DocsSite
from tablegram.docs_site.archive import Archive
from tablegram.settings import Settings
from tools.docs_site.packing import pack_site

PAGE = "<!doctype html><title>Go live</title>" + "<p>Words of a page.</p>" * 100
PICTURE = b"\x89PNG" + os.urandom(5_000)


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


async def ask(site: DocsSite, path: str, method: str = "GET", **headers: str) -> Reply:
    fields = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {
        "type": "http", "method": method, "path": path, "query_string": b"", "headers": fields, "client": ("127.0.0.1", 1),
    }  # fmt: skip
    sent: list[dict[str, object]] = []

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    async def receive() -> dict[str, object]:
        return {"type": "http.disconnect"}

    await site(scope, receive, send)
    start, body = sent
    found = {name.decode(): value.decode() for name, value in start["headers"]}  # type: ignore[attr-defined]
    return Reply(start["status"], found, body["body"])  # type: ignore[arg-type]


def built(folder: Path, page: str = PAGE) -> DocsSite:
    made = folder / "made"
    for name, content in {
        "index.html": page.encode(),
        "how-to/go-live/index.html": page.encode(),
        "assets/bundle.0123abcd.min.js": b"let a = 1;" * 200,
        "images/panel.png": PICTURE,
        "files/deploy/unit.txt": b"[Unit]\n",
    }.items():
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_bytes(content)
    pack_site(made, folder / "site.zip")
    return DocsSite(Settings(), Archive(folder / "site.zip"))


async def test_pages_go_out_as_they_were_packed_and_whole_to_who_cannot_unpack(tmp_path: Path) -> None:
    site = built(tmp_path)
    packed = await ask(site, "/docs/how-to/go-live/", accept_encoding="gzip, br")
    assert (packed.status, packed.headers["content-encoding"]) == (200, "gzip")
    assert len(packed.body) < len(PAGE) / 5
    assert gzip.decompress(packed.body).decode() == PAGE
    whole = await ask(site, "/docs/how-to/go-live/")
    assert (whole.body.decode(), "content-encoding" in whole.headers) == (PAGE, False)
    assert whole.headers["vary"] == "accept-encoding"
    picture = await ask(site, "/docs/images/panel.png", accept_encoding="gzip")
    assert (picture.body, picture.headers["content-type"]) == (PICTURE, "image/png")
    assert (await ask(site, "/docs/files/deploy/unit.txt")).headers["content-type"] == "text/plain; charset=utf-8"


async def test_browsers_keep_what_never_changes_and_ask_after_the_rest(tmp_path: Path) -> None:
    site = built(tmp_path)
    assert "immutable" in (await ask(site, "/docs/assets/bundle.0123abcd.min.js")).headers["cache-control"]
    page = await ask(site, "/docs/")
    assert page.headers["cache-control"] == "no-cache"
    again = await ask(site, "/docs/", if_none_match=page.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    # A site that was just built is shown at once.
    built(tmp_path, PAGE + "<p>New.</p>")
    fresh = await ask(site, "/docs/", if_none_match=page.headers["etag"])
    assert (fresh.status, fresh.body.decode()) == (200, PAGE + "<p>New.</p>")


async def test_addresses_lead_to_pages_and_nowhere_else(tmp_path: Path) -> None:
    site = built(tmp_path)

    async def lead(case: tuple[str, int, str]) -> None:
        path, status, location = case
        reply = await ask(site, path)
        assert (reply.status, reply.headers.get("location", "")) == (status, location)

    for case in [
        ("/docs", 308, "/docs/"),
        ("/docs/how-to/go-live", 308, "/docs/how-to/go-live/"),
        ("/docs/how-to/", 404, ""),
        ("/docs/../settings.py", 404, ""),
        ("/docs//etc/passwd", 404, ""),
        ("/docs//example.com", 404, ""),
        ("/docs/nothing\0", 404, ""),
    ]:
        await lead(case)
    assert (await ask(site, "/docs/", "POST")).status == 405


async def test_what_a_browser_is_told_lets_nothing_in_from_elsewhere(tmp_path: Path) -> None:
    for reply in (await ask(built(tmp_path), "/docs/"), await ask(built(tmp_path), "/docs/nothing")):
        policy = reply.headers["content-security-policy"]
        assert "unsafe" not in policy
        assert "script-src 'self';" in policy
        assert (reply.headers["x-content-type-options"], reply.headers["x-frame-options"]) == ("nosniff", "DENY")


async def test_a_checkout_without_the_pages_says_how_to_build_them(tmp_path: Path) -> None:
    site = DocsSite(Settings(), Archive(tmp_path / "site.zip"))
    english, turkish = await ask(site, "/docs/"), await ask(site, "/docs/", accept_language="tr-TR,tr;q=0.9")
    assert (english.status, turkish.status) == (503, 503)
    assert b"make docs-site" in english.body
    assert b"make docs-site" in turkish.body
    assert "Belgeler henüz oluşturulmadı" in turkish.body.decode()
    style = await ask(site, "/docs/plain.css")
    assert (style.status, style.headers["content-type"]) == (200, "text/css; charset=utf-8")
    # They come while the server runs.
    assert (await ask(built(tmp_path), "/docs/")).status == 200
    assert (await ask(site, "/docs/")).status == 200


async def test_nothing_is_opened_before_somebody_asks_and_one_address_does_not_ask_for_ever(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    site = built(tmp_path)
    assert len(os.listdir("/proc/self/fd")) == before
    # What costs nearly nothing is asked for faster than the pace, however busy the machine is.
    for _ in range(10_000):
        reply = await ask(site, "/docs/plain.css")
        if reply.status == 429:
            break
    assert reply.status == 429
    assert int(reply.headers["retry-after"]) >= 1
