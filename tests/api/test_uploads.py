"""Uploading a file: the body is the file itself, as large as files may be, and no other call is opened by that."""

from __future__ import annotations

from typing import Any

import pytest

from tablegram.flows.files.attachments import MAX_BYTES
from tests.api.app import KEY, World, ask

OWN = "http://gateway.example/api/v1/media"
SEND = {"phone": "905551112233", "media_url": f"{OWN}/med_known"}


async def upload_in_pieces(world: World, pieces: list[bytes], path: str = "/media") -> tuple[int, int]:
    """A body without a length: the status, and how many pieces were asked for."""
    headers = [(b"authorization", b"Bearer " + KEY.encode()), (b"transfer-encoding", b"chunked")]
    headers.append((b"content-type", b"application/json"))
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": f"/api/v1{path}", "raw_path": f"/api/v1{path}".encode(), "query_string": b"", "root_path": "",
        "headers": headers, "client": ("192.0.2.1", 1), "server": ("127.0.0.1", 8000), "state": {},
    }  # fmt: skip
    waiting, sent, taken = list(pieces), [], 0

    async def receive() -> Any:
        nonlocal taken
        if not waiting:
            return {"type": "http.disconnect"}
        taken += 1
        return {"type": "http.request", "body": waiting.pop(0), "more_body": bool(waiting)}

    async def send(message: Any) -> None:
        sent.append(message)

    await world.api(scope, receive, send)
    return sent[0]["status"], taken


@pytest.mark.parametrize(
    ("content_type", "claim"),
    [
        ("application/pdf", "application/pdf"),
        ("audio/ogg; codecs=opus", "audio/ogg; codecs=opus"),
        ("application/x-www-form-urlencoded", ""),
        ("nonsense", ""),
        (None, ""),
    ],
)
async def test_the_body_is_the_file(content_type: str | None, claim: str) -> None:
    world = World()
    reply = await ask(world, "POST", "/media?filename=men%C3%BC.pdf", b"%PDF-1.7", content_type=content_type)
    assert reply.status == 201
    assert set(reply.json()) == {"id", "url", "mime_type", "size", "sha256", "filename"}
    assert world.attachments.uploads == [("menü.pdf", claim, b"%PDF-1.7")]


async def test_what_is_no_file_is_refused_in_words() -> None:
    world = World()
    form = await ask(world, "POST", "/media", b"--x", content_type="multipart/form-data; boundary=x")
    assert (form.status, form.json()["code"]) == (415, "content_type_unsupported")
    assert "not a form" in form.json()["detail"]
    nothing = await ask(world, "POST", "/media")
    assert (nothing.status, nothing.json()["errors"][0]["field"]) == (422, "body")
    assert world.attachments.uploads == []


async def test_a_file_may_be_larger_than_any_other_body_but_not_without_end() -> None:
    world, piece = World(), bytes(4 * 1_048_576)
    assert (await ask(world, "POST", "/media", piece, content_type="video/mp4")).status == 201
    large = await ask(world, "POST", "/media", headers={"Content-Length": str(MAX_BYTES + 1)})
    assert (large.status, large.json()["code"]) == (413, "body_too_large")
    assert "100 MB" in large.json()["detail"]
    # Refused as soon as it is too large, and not when it has all come.
    assert await upload_in_pieces(world, [piece] * 40) == (413, 26)
    assert await upload_in_pieces(world, [piece] * 2) == (201, 2)
    # An upload that breaks off is none.
    assert (await upload_in_pieces(world, []))[0] == 422
    assert len(world.attachments.uploads) == 2
    assert (await upload_in_pieces(world, [piece] * 2, "/messages/send"))[0] == 413


async def test_a_file_of_our_own_store_is_not_asked_for_over_http() -> None:
    # No fetcher is there to be asked.
    world = World(fetcher=None)
    batch = {"messages": [{"kind": "media", **SEND}, {"kind": "media", **SEND, "phone": "447700900123"}]}
    assert (await ask(world, "POST", "/messages/send-media", SEND)).status == 200
    assert (await ask(world, "POST", "/messages/batch", batch)).status == 200
    assert len(world.sends.drafts) == 3
    for draft in world.sends.drafts:
        assert (draft.media_id, draft.shares_media, draft.content.url) == ("med_known", True, "kept:7/ab/med_known")
        assert (draft.content.by_link, draft.content.filename) == (False, "menu.pdf")
    unknown = {**SEND, "media_url": f"{OWN}/med_other"}
    alone = (await ask(world, "POST", "/messages/send-media", unknown)).json()
    assert (alone["status"], alone["errors"][0]["field"], alone["code"]) == (422, "media_url", "media_unknown")
    many = (await ask(world, "POST", "/messages/batch", {"messages": [{"kind": "media", **unknown}]})).json()
    assert many["errors"][0]["field"] == "messages[0].media_url"
