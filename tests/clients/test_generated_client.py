"""A client that a generator writes from the served document does its work against the running server."""

from __future__ import annotations

import importlib
import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from tests.product import Product, running_product, wait_until

CONFIG = Path(__file__).with_name("openapi-python-client.yaml")
PHONE = "905551112299"
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000a49444154789c6360000000020001e221bc330000000049454e44ae426082"
)


class Generated:
    """The generated package, asked for by operation: `client.call("sending", "send_text", body=…)`."""

    def __init__(self, product: Product) -> None:
        self.client = self.module("client").AuthenticatedClient(
            base_url=product.api, token=product.key, raise_on_unexpected_status=True
        )

    def module(self, name: str) -> Any:
        return importlib.import_module(f"generated_tablegram.{name}")

    def model(self, name: str) -> Any:
        return getattr(self.module("models"), name)

    def call(self, area: str, operation: str, *arguments: Any, **named: Any) -> Any:
        return self.module(f"api.{area}.{operation}").sync(*arguments, client=self.client, **named)


@pytest.fixture
def generated(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Product, Generated]]:
    with running_product(database_url) as product:
        document = tmp_path / "openapi.json"
        with urlopen(f"{product.api}/openapi.json") as answer:
            document.write_bytes(answer.read())
        done = subprocess.run(
            [
                *(sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--config", str(CONFIG)),
                *("--path", str(document), "--output-path", str(tmp_path / "generated_tablegram")),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        # A call or a type that it cannot make a client for is a warning there, and a hole in the client.
        said = done.stdout + done.stderr
        assert [line for line in said.splitlines() if line.startswith(("WARNING", "Unable"))] == []
        monkeypatch.syspath_prepend(tmp_path)
        made = Generated(product)
        yield product, made
        made.client.get_httpx_client().close()
        for name in [name for name in sys.modules if name.partition(".")[0] == "generated_tablegram"]:
            del sys.modules[name]


# A client of every call is written file by file: seconds on a free machine, minutes on a busy one.
@pytest.mark.slow
@pytest.mark.timeout(400)
def test_the_generated_client_sends_reads_uploads_and_pages(generated: tuple[Product, Generated]) -> None:
    product, client = generated
    send, types = client.model("SendText"), client.module("types")
    texts = [f"Number {number}" for number in range(3)]
    sent = [client.call("sending", "send_text", body=send(phone=PHONE, message=text)) for text in texts]
    assert [one.status for one in sent] == ["success"] * 3

    # What was sent, and what the customer writes, is read back page by page.
    product.sandbox_call("POST", f"/phones/{PHONE}/messages", {"text": "Danke"})
    wait_until(lambda: len(client.call("messages", "list_messages", phone=PHONE).data) == 4, "what the customer wrote")
    found, cursor = [], types.UNSET
    while cursor is not None:
        page = client.call("messages", "list_messages", phone=PHONE, limit=3, cursor=cursor)
        found += page.data
        cursor = page.next_cursor
    assert sorted(message.text for message in found) == sorted([*texts, "Danke"])
    one = client.call("messages", "get_message", sent[0].message_id)
    assert (one.text, one.direction, one.phone) == (texts[0], "out", PHONE)

    # A file goes up, out by its address, and down again.
    file = types.File(payload=io.BytesIO(PNG), file_name="dot.png")
    upload = client.call("sending", "upload_media", body=file, filename="dot.png")
    picture = client.model("SendMedia")(phone=PHONE, media_url=upload.url)
    assert client.call("sending", "send_media", body=picture).status == "success"
    assert client.call("messages", "get_media", upload.id).payload.read() == PNG

    # A mistake is a problem with its code and field, and not an exception.
    problem = client.call("sending", "send_text", body=send(phone="+" + PHONE, message="Hi"))
    assert (problem.status, problem.errors[0].field) == (422, "phone")

    (line,) = client.call("lines", "list_instances").data
    assert line.kind == "sandbox"
    assert client.call("contacts", "list_contacts", q=PHONE).data[0].phones == [PHONE]
