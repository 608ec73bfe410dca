"""The second library, `tryx`, behind the same protocol: loaded, started, kept from the network, and honest about it."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tablegram.engine.leases import steady_s
from tablegram.linehost.checking.alone import it_answers_each_order_once, it_ends_with_its_gateway
from tablegram.linehost.checking.trial import try_host
from tablegram.linehost.engines.e2e.folding import fold, unfold
from tablegram.linehost.engines.e2e.history import read_history
from tablegram.linehost.engines.e2e.memory import Known
from tablegram.linehost.engines.e2e.outbound import compose
from tablegram.linehost.engines.e2e.people import Jid, person
from tablegram.linehost.engines.tryx import events
from tablegram.messaging.lines.linked.frames import Event, No, Note
from tablegram.messaging.lines.linked.process import HostProcess

# Processes of their own.
pytestmark = pytest.mark.slow

if importlib.util.find_spec("tryx") is None:
    pytest.skip("the extra 'linked-tryx' is not installed", allow_module_level=True)

# Nobody listens there, so that nothing leaves this machine.
CLOSED = {"proxy": "http://127.0.0.1:9", "name": "Desk"}
PHONE, LID, OWN = "905551112233", "77001122334455", "905550001122"
AT = datetime(2026, 11, 16, 8, 0, tzinfo=UTC)
AT_MS = int(AT.timestamp() * 1_000)


@pytest.fixture(scope="module")
def messages() -> Any:
    """The library's own messages, without its native part."""
    return importlib.import_module("tryx.waproto.whatsapp_pb2")


def told(raw: Any, **source: Any) -> Any:
    """An event as the library makes it; its own classes cannot be made by anybody else."""
    given = {"chat": jid(LID, "lid"), "sender": jid(LID, "lid"), "sender_alt": jid(PHONE), "recipient_alt": None}
    made = SimpleNamespace(**{**given, "is_from_me": False, **source})
    info = SimpleNamespace(id="3EB0A1", timestamp=AT, push_name="Ayşe", source=made)
    return SimpleNamespace(data=SimpleNamespace(message_info=info, raw_proto=raw))


def jid(user: str, server: str = "s.whatsapp.net") -> Any:
    return SimpleNamespace(user=user, server=server)


def test_its_messages_are_read_and_written_by_the_same_words(messages: Any) -> None:
    both = person(Jid(PHONE, "s.whatsapp.net"), Jid(LID, "lid"), name="Ayşe")
    file = {"mimetype": "image/jpeg", "filesha256": b"\x01", "mediakey": b"secret", "caption": "c"}
    kind, name, data = events.message(told(unfold({"imagemessage": file}, messages.Message())), False) or ("", "", {})
    assert (kind, name, data["type"], data["from"], data["at_ms"]) == ("message", "m:3EB0A1", "image", both, AT_MS)
    assert b"secret" not in repr(data).encode()
    content: dict[str, Any]
    for content in (
        {"type": "text", "text": "Hi"},
        {"type": "location", "latitude": 41.0, "longitude": 29.0, "name": "", "address": ""},
        {"type": "contacts", "contacts": [{"name": {"formatted_name": "A"}, "phones": [{"phone": "+90"}]}]},
        {"type": "document", "path": "/x", "mime_type": "application/pdf", "filename": "a.pdf", "caption": ""},
        {"type": "reaction", "id": "3EB0Z", "emoji": "👍"},
    ):
        uploaded = {
            "url": "u",
            "directpath": "/v",
            "mediakey": b"k",
            "fileencsha256": b"e",
            "filesha256": b"s",
            "filelength": 3,
        }
        known = Known(f"{LID}@lid", f"{LID}@lid", False)
        made = unfold(compose(content, "", uploaded, known), messages.Message())
        assert (events.message(told(made), False) or ("", "", {}))[2]["type"] == content["type"]
        assert fold(messages.Message.FromString(made.SerializeToString())) == fold(made)
    mine = told(
        messages.Message(conversation="x"), is_from_me=True, sender=jid(OWN), sender_alt=None, recipient_alt=jid(PHONE)
    )
    data = (events.message(mine, False) or ("", "", {}))[2]
    assert (data["echo"], data["to"]["phone"]) == (True, PHONE)
    assert events.message(told(messages.Message(conversation="x"), chat=jid("1", "g.us")), False) is None

    past = messages.HistorySync(syncType=0)
    talk = past.conversations.add(id=f"{LID}@lid", pnJid=f"{PHONE}@s.whatsapp.net")
    item = talk.messages.add().message
    item.key.id, item.messageTimestamp, item.message.conversation = "OLD1", AT_MS // 1_000, "then"
    ((found, _),) = read_history(fold(past), False)
    assert (found[1], found[2]["history"], found[2]["at_ms"]) == ("m:OLD1", True, AT_MS)


def test_its_receipts_bans_and_failures_are_told() -> None:
    source = told(None).data.message_info.source
    for word, status in (("Delivered", ["delivered"]), ("Played", ["read"]), ("ReadSelf", []), ("Retry", [])):
        made = SimpleNamespace(message_ids=["A"], timestamp=AT, receipt_type=f"ReceiptType.{word}", source=source)
        assert [one[2]["status"] for one in events.receipt(made, False)] == status
    ban = SimpleNamespace(data=SimpleNamespace(code="TempBanReason.SentToTooManyPeople", expire=AT))
    assert events.ban(ban).until_ms == AT_MS
    for reason, state in (
        ("LoggedOut", "logged_out"),
        ("ClientOutdated", "needs_attention"),
        ("Generic", "disconnected"),
    ):
        assert events.connect_failure(SimpleNamespace(reason=reason, message=None)).state == state
    assert events.pairing_failed(SimpleNamespace(error="needs a Passkey")).reason == "passkey_needed"


async def test_a_host_that_is_kept_from_the_network_says_so(tmp_path: Path) -> None:
    host, notes, said = HostProcess("tryx", "1", 400), [], asyncio.Event()

    async def event(_: Event) -> None:
        raise AssertionError("nothing was heard")

    async def note(one: Note) -> None:
        notes.append(one.data)
        said.set()

    ready = await host.start({"folder": str(tmp_path), "session": "", "settings": CLOSED}, event, note)
    try:
        assert ready.engine == "tryx"
        assert "read" not in ready.can
        await host.lead(steady_s() + 600)
        async with asyncio.timeout(60):
            await said.wait()
        assert (notes[0]["state"], notes[0]["reason"]) == ("disconnected", "unreachable")
        no = await host.order("send", {"to": PHONE, "key": "k", "content": {"type": "text", "text": "Hi"}}, 60)
        assert isinstance(no, No)
        assert (no.code, no.sent, no.again_s is not None) == ("line_offline", "no", True)
        no = await host.order("pair", {"phone": PHONE}, 60)
        assert isinstance(no, No)
        assert no.code == "pairing_code_unavailable"
    finally:
        await host.end()
    tried = [it_answers_each_order_once, it_ends_with_its_gateway]
    command = [sys.executable, "-m", "tablegram.linehost", "tryx"]
    found = await asyncio.to_thread(lambda: list(try_host(command, tmp_path / "check", CLOSED, 60.0, tried)))
    assert [one for one in found if not one.held] == []
