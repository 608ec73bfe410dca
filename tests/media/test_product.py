"""Files from a customer's phone to the account's program, through the real product, whatever dies in between."""

from __future__ import annotations

import base64
import hashlib
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp.multipart import content_disposition_filename, parse_content_disposition

from tests.contract.buckets import ACCESS_KEY, BUCKET, SECRET_KEY, running_bucket
from tests.ports import free_port
from tests.product import Product, running_product, wait_until

# What is kept, fetched and claimed is looked at on both databases in the other files; `make faults` runs these on a server.
pytestmark = [pytest.mark.slow, pytest.mark.once]

PHONE = "905551112233"
PNG = b"\x89PNG\r\n\x1a\n" + hashlib.shake_256(b"picture").digest(700_000)
PDF = b"%PDF-1.7\n" + hashlib.shake_256(b"paper").digest(3_000_000)


@pytest.fixture(scope="module")
def product(databases: Any) -> Iterator[Product]:
    url = databases.migrated()
    with running_product(url) as running:
        yield running
    databases.drop(url)


def write(product: Product, content: bytes, kind: str = "image", **more: Any) -> str:
    """A customer sends a file; gives the network's id of the message."""
    body = {"type": kind, "data": base64.b64encode(content).decode(), **more}
    return str(product.sandbox_call("POST", f"/phones/{PHONE}/messages", body)["id"])


def media_of(product: Product, message_id: str) -> dict[str, Any]:
    status, answer = product.call("GET", f"/messages/{message_id}")
    return dict(answer["media"] or {}) if status == 200 else {}


def settled(product: Product, message_id: str) -> dict[str, Any]:
    def done() -> bool:
        return media_of(product, message_id).get("state") in ("kept", "failed")

    wait_until(done, "the file")
    return media_of(product, message_id)


def download(product: Product, url: str, key: str | None = None, **headers: str) -> tuple[int, bytes, Any]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(url, headers={**product.headers(key), **named})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.read(), answer.headers
    except urllib.error.HTTPError as error:
        return error.code, error.read(), error.headers


@pytest.mark.parametrize(
    ("kind", "content", "mime_type"),
    [
        ("image", PNG, "image/png"),
        ("document", PDF, "application/pdf"),
        ("audio", b"OggS" + bytes(9_000), "audio/ogg; codecs=opus"),
    ],
)
def test_a_file_comes_out_of_the_api_as_it_went_into_the_phone(
    product: Product, kind: str, content: bytes, mime_type: str
) -> None:
    media = settled(product, write(product, content, kind, mime_type=mime_type))
    digest = hashlib.sha256(content).hexdigest()
    assert (media["state"], media["size"], media["sha256"], media["error"]) == ("kept", len(content), digest, None)
    assert media["url"] == f"{product.api}/media/{media['id']}"
    status, body, headers = download(product, media["url"])
    assert status == 200
    assert body == content
    assert headers["Content-Type"] == mime_type
    assert headers["Content-Length"] == str(len(content))
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["ETag"] == f'"{digest}"'
    assert headers["Content-Disposition"].startswith("attachment; ")
    assert headers["X-API-Version"] == "1.4"
    assert headers["RateLimit"]
    status, body, headers = download(product, media["url"], If_None_Match=f'"{digest}"')
    assert (status, body, headers["ETag"]) == (304, b"", f'"{digest}"')


@pytest.mark.parametrize(
    ("name", "saved"),
    [
        ("Menü İçecek.pdf", "Menü İçecek.pdf"), ("../../../etc/passwd", "passwd"), ("a\r\nX-Evil: 1\r\n\r\n.pdf", "aX-Evil 1.pdf"),
        ('x"; filename="y.exe', "x; filename=y.exe"), ("\u202efdp.exe", "fdp.exe"), ("n" * 900 + ".pdf", "n" * 116 + ".pdf"),
    ],
)  # fmt: skip
def test_a_hostile_name_does_no_harm(product: Product, name: str, saved: str) -> None:
    media = settled(product, write(product, PDF[:500], "document", filename=name))
    assert media["filename"] == saved
    status, body, headers = download(product, media["url"])
    assert (status, body) == (200, PDF[:500])
    assert "X-Evil" not in headers
    assert content_disposition_filename(parse_content_disposition(headers["Content-Disposition"])[1]) == saved


def test_a_page_that_claims_to_be_a_picture_is_only_ever_a_download(product: Product) -> None:
    media = settled(product, write(product, b"<html><script>alert(1)</script>", mime_type="image/png"))
    assert (media["mime_type"], media["claimed_type"]) == ("text/html", "image/png")
    _, _, headers = download(product, media["url"])
    assert headers["Content-Disposition"].startswith("attachment; ")
    assert headers["Content-Security-Policy"].startswith("sandbox")


def test_a_file_that_is_too_large_is_410_with_its_reason(product: Product) -> None:
    media = settled(product, write(product, PNG[:8] + bytes(5 * 1_048_576), "image"))
    assert (media["state"], media["size"], media["error"]["code"]) == ("failed", None, "media_too_large")
    status, answer = product.call("GET", f"/media/{media['id']}")
    assert (status, answer["code"], answer["reason"]) == (410, "media_failed", "media_too_large")


def test_nobody_without_the_right_key_gets_a_file(product: Product) -> None:
    media = settled(product, write(product, PNG))
    product.cli("account", "create", "stranger")
    other = product.cli("key", "create", "--account", "stranger")
    status, _, _ = download(product, media["url"], key=other["key"])
    assert status == 404
    sender = product.cli("key", "create", "--account", "demo", "--scope", "messages:send")
    assert download(product, media["url"], key=sender["key"])[0] == 403
    assert download(product, media["url"], key="tg_live_nonsense")[0] == 401
    assert product.call("GET", "/media/med_unknown")[1]["code"] == "media_unknown"
    assert product.call("GET", "/media/..%2f..%2fetc%2fpasswd")[0] == 404


def test_lists_show_files_and_messages_without_one_have_none(product: Product) -> None:
    message_id = write(product, PNG)
    settled(product, message_id)
    product.send(PHONE, "hello")
    _, page = product.call("GET", "/messages?limit=20")
    shown = {message["message_id"]: message["media"] for message in page["data"]}
    assert shown[message_id]["state"] == "kept"
    assert next(media for name, media in shown.items() if name != message_id) is None


def files_in(folder: Path) -> list[Path]:
    return [path for path in (folder / "media").rglob("*") if path.is_file()]


def test_a_kill_at_any_point_costs_no_file_and_leaves_none_over(database_url: str) -> None:
    sent: list[str] = []
    with running_product(database_url, sandbox_alone=True) as running:
        for point in ("media.fetched", "media.stored", "inbox.applied"):
            running.server.stop()
            running.server.environment["TABLEGRAM_CRASH_AT"] = f"{point}:2"
            running.server.start()
            sent += [write(running, PNG + bytes([len(sent) + number])) for number in range(3)]
            running.server.wait_for_death()
            del running.server.environment["TABLEGRAM_CRASH_AT"]
            running.server.start()
            for number, message_id in enumerate(sent):
                media = settled(running, message_id)
                assert media["state"] == "kept", point
                assert download(running, media["url"])[1] == PNG + bytes([number]), point
            assert len(files_in(running.data_dir)) == len(sent), f"{point}: one file each, and nothing half-fetched"


def test_a_network_that_goes_away_and_comes_back_costs_no_file(database_url: str) -> None:
    with running_product(database_url, sandbox_alone=True) as running:
        assert running.sandbox is not None
        running.server.stop()
        message_id = write(running, PNG)
        running.server.environment["TABLEGRAM_CRASH_AT"] = "inbox.applied"
        running.server.launch()
        running.server.wait_for_death()
        running.sandbox.stop()
        del running.server.environment["TABLEGRAM_CRASH_AT"]
        running.server.start()
        wait_until(lambda: media_of(running, message_id).get("state") == "wanted", "the wanted file")
        media = media_of(running, message_id)
        status, body, headers = download(running, media["url"])
        assert (status, headers["Retry-After"] is not None) == (409, True)
        assert b'"media_pending"' in body
        running.sandbox.start()
        assert settled(running, message_id)["state"] == "kept"


def test_files_can_live_in_a_bucket_and_a_bucket_that_is_away_is_said_so(database_url: str) -> None:
    settings = {
        "TABLEGRAM_MEDIA_URL": f"s3://{BUCKET}/files", "TABLEGRAM_MEDIA_S3_ACCESS_KEY": ACCESS_KEY,
        "TABLEGRAM_MEDIA_S3_SECRET_KEY": SECRET_KEY,
    }  # fmt: skip
    with running_bucket() as address:
        settings["TABLEGRAM_MEDIA_S3_ENDPOINT"] = address
        with running_product(database_url, settings=settings) as running:
            media = settled(running, write(running, PDF, "document"))
            assert download(running, media["url"])[:2] == (200, PDF)
            assert files_in(running.data_dir) == []
            running.server.stop()
            running.server.environment["TABLEGRAM_MEDIA_S3_ENDPOINT"] = f"http://127.0.0.1:{free_port()}"
            running.server.start()
            status, body, headers = download(running, media["url"])
            assert (status, headers["Retry-After"]) == (503, "5")
            assert b"media_store_unavailable" in body
            message_id = write(running, PNG)
            wait_until(lambda: media_of(running, message_id).get("state") == "wanted", "the wanted file")
            running.server.stop()
            running.server.environment["TABLEGRAM_MEDIA_S3_ENDPOINT"] = address
            running.server.start()
            assert settled(running, message_id)["state"] == "kept"
            assert SECRET_KEY not in running.server.said()
