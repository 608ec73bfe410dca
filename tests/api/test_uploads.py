"""Uploading a file: the body is the file itself, as large as files may be, and no other call is opened by that."""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.flows.files.attachments import MAX_BYTES
from tablegram.messaging.model import Media, Stored
from tests.api.asking import request
from tests.api.edge import Edge

PDF = b"%PDF-1.7"


async def upload_in_pieces(edge: Edge, pieces: list[bytes], path: str = "/media") -> tuple[int, int]:
    """A body without a length: the status, and how many pieces were asked for."""
    headers = [(b"authorization", b"Bearer " + edge.key.encode()), (b"transfer-encoding", b"chunked")]
    headers.append((b"content-type", b"application/json"))
    waiting, sent, taken = list(pieces), [], 0

    async def receive() -> Any:
        nonlocal taken
        if not waiting:
            return {"type": "http.disconnect"}
        taken += 1
        return {"type": "http.request", "body": waiting.pop(0), "more_body": bool(waiting)}

    async def send(message: Any) -> None:
        sent.append(message)

    await edge.api(request("POST", f"/api/v1{path}", headers), receive, send)
    return sent[0]["status"], taken


def sizes(edge: Edge) -> list[int]:
    """Of the files that are kept."""
    return sorted(path.stat().st_size for path in (edge.api.settings.data_dir / "media").rglob("*") if path.is_file())


async def test_the_body_is_the_file(edge: Edge) -> None:
    for content_type, told in (
        ("text/csv; charset=utf-8", "text/csv"),
        # These say nothing of the file; its name does.
        ("application/x-www-form-urlencoded", "text/plain"),
        ("nonsense", "text/plain"),
        (None, "text/plain"),
    ):
        reply = await edge.ask("POST", "/media?filename=men%C3%BC.txt", b"a,b\n1,2\n", content_type=content_type)
        assert reply.status == 201, content_type
        made = reply.json()
        assert set(made) == {"id", "url", "mime_type", "size", "sha256", "filename"}
        assert (made["filename"], made["mime_type"]) == ("menü.txt", told)
        assert (await edge.ask("GET", f"/media/{made['id']}")).body == b"a,b\n1,2\n"


async def test_what_is_no_file_is_refused_in_words(edge: Edge) -> None:
    before = sizes(edge)
    form = await edge.ask("POST", "/media", b"--x", content_type="multipart/form-data; boundary=x")
    assert (form.status, form.json()["code"]) == (415, "content_type_unsupported")
    assert "not a form" in form.json()["detail"]
    nothing = await edge.ask("POST", "/media")
    assert (nothing.status, nothing.json()["errors"][0]["field"]) == (422, "body")
    assert sizes(edge) == before


async def test_a_file_may_be_larger_than_any_other_body_but_not_without_end(edge: Edge) -> None:
    before, piece = sizes(edge), bytes(4 * 1_048_576)
    assert (await edge.ask("POST", "/media", piece, content_type="video/mp4")).status == 201
    large = await edge.ask("POST", "/media", headers={"Content-Length": str(MAX_BYTES + 1)})
    assert (large.status, large.json()["code"]) == (413, "body_too_large")
    assert "100 MB" in large.json()["detail"]
    # Refused as soon as it is too large, and not when it has all come.
    assert await upload_in_pieces(edge, [piece] * 40) == (413, 26)
    assert await upload_in_pieces(edge, [piece] * 2) == (201, 2)
    # An upload that breaks off is none.
    assert (await upload_in_pieces(edge, []))[0] == 422
    assert (await upload_in_pieces(edge, [piece] * 2, "/messages/send"))[0] == 413
    assert sizes(edge) == [*before, len(piece), len(piece) * 2]


async def test_a_file_of_our_own_store_is_not_asked_for_over_http(edge: Edge) -> None:
    made = (await edge.ask("POST", "/media?filename=menu.pdf", PDF, content_type="application/pdf")).json()
    send = {"phone": "905551112233", "media_url": made["url"]}
    batch = {"messages": [{"kind": "media", **send}, {"kind": "media", **send, "phone": "447700900123"}]}
    alone = await edge.ask("POST", "/messages/send-media", send)
    many = await edge.ask("POST", "/messages/batch", batch)
    assert (alone.status, many.status) == (200, 200)
    for sent in (alone.json(), *many.json()["data"]):
        row = await edge.message(sent["message_id"])
        content = msgspec.json.decode(row["content"], type=Stored).content
        assert isinstance(content, Media)
        # Somebody else's file would be sent by its address.
        assert (content.url.startswith("kept:1/"), content.by_link, content.filename) == (True, False, "menu.pdf")
        # Each message has the file under a name of its own.
        media = (await edge.ask("GET", f"/messages/{sent['message_id']}")).json()["media"]
        assert (media["state"], media["sha256"]) == ("kept", made["sha256"])
    unknown = {**send, "media_url": made["url"].replace(made["id"], "med_other")}
    wrong = (await edge.ask("POST", "/messages/send-media", unknown)).json()
    assert (wrong["status"], wrong["errors"][0]["field"], wrong["code"]) == (422, "media_url", "media_unknown")
    wrong = (await edge.ask("POST", "/messages/batch", {"messages": [{"kind": "media", **unknown}]})).json()
    assert wrong["errors"][0]["field"] == "messages[0].media_url"
