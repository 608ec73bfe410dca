"""What the library `neonize` tells, by its own messages, in the protocol's words; and what goes out, as it wants it."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tablegram.linehost.checking.frames import look_at
from tablegram.linehost.engines.e2e.folding import fold, unfold
from tablegram.linehost.engines.e2e.inbound import Told, read_message
from tablegram.linehost.engines.e2e.memory import KEPT, Known, Memory
from tablegram.linehost.engines.e2e.outbound import compose
from tablegram.linehost.engines.e2e.people import NOBODY, Jid, jid, person
from tablegram.linehost.engines.e2e.refusals import order_refusal, send_refusal, unreachable
from tablegram.linehost.engines.e2e.telling import Note
from tablegram.linehost.engines.e2e.vcards import read_card, write_card
from tablegram.linehost.engines.neonize import events
from tablegram.linehost.engines.port import Refusal
from tests.cases import cases

if importlib.util.find_spec("neonize") is None:
    pytest.skip("the extra 'linked' is not installed", allow_module_level=True)

PHONE, LID, OWN, GROUP = "905551112233", "77001122334455", "905550001122", "120363040000000000"
AT_MS = 1_794_815_440_000


class Protos:
    """The library's own messages, without its native part, which has no place in a process that runs tests."""

    def __init__(self) -> None:
        found = importlib.util.find_spec("neonize")
        assert found is not None
        assert found.submodule_search_locations
        package = types.ModuleType("neonize")
        package.__path__ = list(found.submodule_search_locations)
        # Whoever asks later whether the library is there hears of it.
        package.__spec__ = found
        sys.modules.setdefault("neonize", package)
        self.events: Any = importlib.import_module("neonize.proto.Neonize_pb2")
        self.e2e: Any = importlib.import_module("neonize.proto.waE2E.WAWebProtobufsE2E_pb2")
        self.history: Any = importlib.import_module("neonize.proto.waHistorySync.WAWebProtobufsHistorySync_pb2")

    def jid(self, user: str, server: str = "s.whatsapp.net") -> Any:
        return self.events.JID(User=user, Server=server, RawAgent=0, Device=3, Integrator=0, IsEmpty=not user)

    def source(self, **more: Any) -> Any:
        given = {"Chat": self.jid(LID, "lid"), "Sender": self.jid(LID, "lid"), "SenderAlt": self.jid(PHONE)}
        return self.events.MessageSource(**{**given, "IsFromMe": False, "IsGroup": False, **more})

    def heard(self, content: dict[str, Any], source: Any = None, **info: Any) -> Any:
        """A message as it comes, from a content in folded names."""
        given = {"ID": "3EB0A1", "Pushname": "Ayşe", "Timestamp": AT_MS, **info}
        made = self.events.MessageInfo(MessageSource=source or self.source(), **given)
        return self.events.Message(Info=made, Message=unfold(content, self.e2e.Message()))


def message(event: Any, with_groups: bool, phone_of: Callable[[Jid], Jid] = lambda lid: NOBODY) -> Told | None:
    return read_message(events.heard(event, phone_of), with_groups)


@pytest.fixture(scope="module")
def protos() -> Protos:
    return Protos()


FILE = {"mimetype": "image/jpeg", "filesha256": b"\x01\x02", "mediakey": b"secret", "directpath": "/v/x"}
CONTENTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a text": ({"conversation": "Merhaba"}, {"type": "text", "text": "Merhaba"}),
    "an answer": (
        {"extendedtextmessage": {"text": "Evet", "contextinfo": {"stanzaid": "3EB0Z"}}},
        {"type": "text", "text": "Evet", "reply_to": "3EB0Z"},
    ),
    "a disappearing text": ({"ephemeralmessage": {"message": {"conversation": "psst"}}}, {"text": "psst"}),
    "an image": (
        {"imagemessage": {**FILE, "caption": "the menu"}},
        {"type": "image", "text": "the menu", "media": {
            "id": "3EB0A1", "mime_type": "image/jpeg", "filename": "", "sha256": "0102", "voice": False, "animated": False,
        }},
    ),
    "a view once": ({"viewoncemessagev2": {"message": {"videomessage": {"gifplayback": True}}}}, {"type": "video"}),
    "a voice": ({"audiomessage": {"ptt": True, "mimetype": "audio/ogg; codecs=opus"}}, {"type": "audio"}),
    "a document": (
        {"documentwithcaptionmessage": {"message": {"documentmessage": {"filename": "a.pdf", "caption": "c"}}}},
        {"type": "document", "text": "c"},
    ),
    "a sticker": ({"stickermessage": {"isanimated": True}}, {"type": "sticker"}),
    "a place": (
        {"locationmessage": {"degreeslatitude": 41.0, "degreeslongitude": 29.0, "name": "Pier"}},
        {"type": "location", "body": {"latitude": 41.0, "longitude": 29.0, "name": "Pier"}},
    ),
    "a card": (
        {"contactmessage": {"displayname": "A B", "vcard": "BEGIN:VCARD\nitem1.TEL;waid=905:+90 5\nEND:VCARD"}},
        {"type": "contacts", "body": [{"name": {"formatted_name": "A B"}, "phones": [{"phone": "+90 5", "wa_id": "905"}]}]},
    ),
    "a reaction": (
        {"reactionmessage": {"key": {"id": "3EB0Z"}, "text": "👍"}},
        {"type": "reaction", "body": {"message_id": "3EB0Z", "emoji": "👍"}},
    ),
    "a button": (
        {"buttonsresponsemessage": {"selectedbuttonid": "y", "selecteddisplaytext": "Yes"}},
        {"type": "button", "text": "Yes", "body": {"id": "y", "title": "Yes"}},
    ),
    "a row": (
        {"listresponsemessage": {"title": "Tea", "singleselectreply": {"selectedrowid": "1"}}},
        {"type": "list", "text": "Tea"},
    ),
    "what nobody knows": ({"pollcreationmessage": {"name": "?"}}, {"type": "pollcreation", "raw": {"shape": "pollcreationmessage"}}),
}  # fmt: skip


def test_every_kind_of_message_is_told_in_the_protocols_words(protos: Protos) -> None:
    with cases() as found:
        for case, (content, meant) in CONTENTS.items():
            with found.case(case):
                told = message(protos.heard(content), False)
                assert told is not None
                kind, name, data = told
                assert (kind, name) == ("message", "m:3EB0A1")
                assert {key: data[key] for key in meant} == meant
                assert (data["at_ms"], data["group"]) == (AT_MS, "")
                assert data["from"] == {"phone": PHONE, "lid": f"{LID}@lid", "name": "Ayşe"}
                look_at({"event": {"n": 1, "kind": kind, "name": name, "data": data}})
                assert b"secret" not in repr(data).encode()


def test_whatever_the_network_invents_is_told_or_left_out_and_never_fails(protos: Protos) -> None:
    """Every member that a message can have, empty and with whatever is below it."""

    def fill(made: Any, depth: int) -> None:
        for field in made.DESCRIPTOR.fields:
            value = getattr(made, field.name)
            if field.message_type is None:
                continue
            if hasattr(value, "SetInParent"):
                value.SetInParent()
                if depth:
                    fill(value, depth - 1)
            elif hasattr(value, "add"):
                value.add()

    names = [field.name for field in protos.e2e.Message.DESCRIPTOR.fields]
    with cases() as found:
        for name in names:
            for depth in (0, 2):
                with found.case(f"{name} {depth}"):
                    made = protos.heard({})
                    inner = getattr(made.Message, name)
                    if not hasattr(inner, "SetInParent"):
                        continue
                    inner.SetInParent()
                    fill(inner, depth)
                    told = message(made, True)
                    if told is not None:
                        look_at({"event": {"n": 1, "kind": told[0], "name": told[1], "data": told[2]}})


def test_a_sender_who_hides_their_number_is_known_by_it_where_the_device_knows_it(protos: Protos) -> None:
    hidden = protos.source(SenderAlt=protos.jid(""))
    told = message(protos.heard({"conversation": "x"}, hidden), False)
    assert told is not None
    assert told[2]["from"] == {"phone": "", "lid": f"{LID}@lid", "name": "Ayşe"}
    told = message(protos.heard({"conversation": "x"}, hidden), False, lambda lid: Jid(PHONE, "s.whatsapp.net"))
    assert told is not None
    assert told[2]["from"]["phone"] == PHONE


def test_edits_revocations_echoes_and_groups_are_what_they_are(protos: Protos) -> None:
    key = {"id": "3EB0OLD"}
    edit = {"protocolmessage": {"type": 14, "key": key, "editedmessage": {"conversation": "now"}, "timestampms": 9}}
    kind, name, data = message(protos.heard({"editedmessage": {"message": edit}}), False) or ("", "", {})
    assert (kind, name, data["id"], data["text"]) == ("edit", "e:3EB0OLD:9", "3EB0OLD", "now")
    kind, name, data = message(protos.heard({"protocolmessage": {"type": 0, "key": key}}), False) or ("", "", {})
    assert (kind, name, data["id"]) == ("revoke", "d:3EB0OLD", "3EB0OLD")

    mine = protos.source(
        Chat=protos.jid(LID, "lid"), Sender=protos.jid(OWN), SenderAlt=protos.jid(""), RecipientAlt=protos.jid(PHONE),
        IsFromMe=True,
    )  # fmt: skip
    sent = {"devicesentmessage": {"message": {"conversation": "from my phone"}}}
    _, _, data = message(protos.heard(sent, mine), False) or ("", "", {})
    assert (data["echo"], data["text"], data["to"]) == (
        True,
        "from my phone",
        person(Jid(PHONE, "s.whatsapp.net"), Jid(LID, "lid")),
    )

    in_group = protos.source(Chat=protos.jid(GROUP, "g.us"), IsGroup=True)
    assert message(protos.heard({"conversation": "all"}, in_group), False) is None
    _, _, data = message(protos.heard({"conversation": "all"}, in_group), True) or ("", "", {})
    assert (data["group"], data["from"]["phone"]) == (f"{GROUP}@g.us", PHONE)

    # For the device, for nobody, or not of people at all.
    for silent in ({"senderkeydistributionmessage": {"groupid": "x"}}, {"protocolmessage": {"type": 6}}, {}):
        assert message(protos.heard(silent), True) is None
    assert message(protos.heard({"conversation": "x"}, Category="peer"), True) is None
    status = protos.source(Chat=protos.jid("status", "broadcast"))
    assert message(protos.heard({"conversation": "x"}, status), True) is None


def test_receipts_are_told_once_a_message_and_only_of_others(protos: Protos) -> None:
    receipt = protos.events.Receipt
    for word, status in (("DELIVERED", "delivered"), ("READ", "read"), ("PLAYED", "read")):
        made = receipt(MessageSource=protos.source(), MessageIDs=["A", "B"], Timestamp=AT_MS // 1_000)
        made.Type = receipt.ReceiptType.Value(word)
        told = events.receipt(made, False)
        assert [name for _, name, _ in told] == [f"r:A:{status}", f"r:B:{status}"]
        assert told[0][2] == {"id": "A", "status": status, "at_ms": AT_MS, "to": PHONE, "key": ""}
        assert (
            events.receipt(receipt(MessageSource=protos.source(IsFromMe=True), MessageIDs=["A"], Type=made.Type), False)
            == []
        )
    for word in ("RETRY", "READ_SELF", "SENDER", "PEER_MSG"):
        made = receipt(MessageSource=protos.source(), MessageIDs=["A"], Type=receipt.ReceiptType.Value(word))
        assert events.receipt(made, False) == []
    assert events.receipt(receipt(MessageSource=protos.source(), MessageIDs=["A"]), False) == []


def test_the_past_is_told_as_history_oldest_first(protos: Protos) -> None:
    made = protos.history.HistorySync(syncType=0)
    talk = made.conversations.add(ID=f"{LID}@lid", pnJID=f"{PHONE}@s.whatsapp.net")
    for number, is_mine in ((2, True), (1, False)):
        item = talk.messages.add().message
        item.key.ID, item.key.fromMe, item.key.remoteJID = f"OLD{number}", is_mine, f"{LID}@lid"
        item.messageTimestamp, item.pushName = AT_MS // 1_000 + number, "Ayşe"
        item.message.conversation = f"text {number}"
    told = events.history(protos.events.HistorySync(Data=made), False)
    assert [(one[0][2]["id"], one[0][2]["history"]) for one in told] == [("OLD1", True), ("OLD2", True)]
    assert told[0][0][2]["from"] == person(Jid(PHONE, "s.whatsapp.net"), Jid(LID, "lid"), name="Ayşe")
    assert told[1][0][2]["to"] == person(Jid(PHONE, "s.whatsapp.net"), Jid(LID, "lid"))
    assert told[0][0][1] == "m:OLD1", "what comes again later has the same name"


def test_the_lines_state_is_told_with_its_reason_and_its_end(protos: Protos) -> None:
    proto = protos.events
    ban = proto.TemporaryBan(Code=proto.TemporaryBan.TempBanReason.Value("SEND_TO_TOO_MANY_PEOPLE"), Expire=3_600)
    told = events.ban(ban, AT_MS)
    assert (told.state, told.reason, told.until_ms) == ("restricted", "banned", AT_MS + 3_600_000)
    assert "too many people" in told.detail
    for word, state, reason in (
        ("LOGGED_OUT", "logged_out", "logged_out_by_phone"),
        ("MAIN_DEVICE_GONE", "logged_out", "logged_out_by_phone"),
        ("CLIENT_OUTDATED", "needs_attention", "outdated"),
        ("TEMP_BANNED", "restricted", "banned"),
        ("SERVICE_UNAVAILABLE", "disconnected", "unreachable"),
    ):
        told = events.connect_failure(
            proto.ConnectFailure(Reason=proto.ConnectFailureReason.Value(word), Message="why")
        )
        assert (told.state, told.reason) == (state, reason), word
    assert events.login("success") is None
    assert events.login("timeout") is None
    assert events.login("passkey-request") == Note("needs_attention", "passkey_needed")
    failed = proto.PairStatus(Status=proto.PairStatus.PStatus.Value("ERROR"), Error="passkey required")
    assert events.pairing(failed) == Note("needs_attention", "passkey_needed")
    assert events.pairing(proto.PairStatus(Status=proto.PairStatus.PStatus.Value("SUCCESS"))) is None
    assert events.own_number(proto.Device(JID=protos.jid(OWN))) == OWN


def test_whatever_goes_out_is_a_message_as_the_library_wants_it(protos: Protos) -> None:
    uploaded = {
        "url": "https://x",
        "directpath": "/v",
        "mediakey": b"k",
        "fileencsha256": b"e",
        "filesha256": b"s",
        "filelength": 3,
    }
    known = Known(f"{LID}@lid", f"{LID}@lid", False)
    media = {"path": "/x", "mime_type": "image/png", "filename": "a.png", "caption": "c"}
    person_card = {"name": {"formatted_name": "A, B"}, "phones": [{"phone": "+90 555"}]}
    contents: list[dict[str, Any]] = [
        {"type": "text", "text": "Hi"},
        *({"type": kind, **media} for kind in ("image", "video", "document", "audio", "sticker")),
        {"type": "audio", **media, "mime_type": "audio/ogg"},
        {"type": "location", "latitude": 41.0, "longitude": 29.0, "name": "Pier", "address": ""},
        {"type": "contacts", "contacts": [person_card]},
        {"type": "contacts", "contacts": [person_card, person_card]},
        {"type": "reaction", "id": "3EB0Z", "emoji": "👍"},
    ]  # fmt: skip
    with cases() as found:
        for content in contents:
            for reply_to in ("", "3EB0Z"):
                with found.case(f"{content['type']} {reply_to}"):
                    made = compose(content, reply_to, uploaded, known)
                    wanted = unfold(made, protos.e2e.Message())
                    assert fold(protos.e2e.Message.FromString(wanted.SerializeToString())) == fold(wanted)
                    told = message(protos.heard(made), False)
                    assert told is not None
                    # What we send reads like what we hear.
                    assert told[2]["type"] == content["type"]
                    assert told[2].get("reply_to", "") == ("" if content["type"] == "reaction" else reply_to)
    with pytest.raises(Refusal, match="react"):
        compose({"type": "reaction", "id": "x", "emoji": "y"}, "", None, None)
    with pytest.raises(Refusal, match="cannot send"):
        compose({"type": "moon"}, "", None, None)


def test_errors_of_the_library_say_whether_a_message_may_have_gone_out() -> None:
    for words, code, sent, again in (
        ("server returned error 463", "reachout_limited", "no", False),
        ("server returned error 479", "network_refused", "no", False),
        ("server returned error 429", "rate_limited", "no", True),
        ("websocket not connected", "line_offline", "no", True),
        ("no LID found for 9@s.whatsapp.net from server", "not_on_network", "no", False),
        ("failed to get device list: x", "network_unwell", "no", True),
        ("timed out waiting for message send response", "answer_lost", "unknown", True),
        ("websocket disconnected before message send returned response", "answer_lost", "unknown", True),
        ("what nobody has seen before", "answer_lost", "unknown", True),
    ):
        told = send_refusal(words)
        assert (told.code, told.sent, told.again_s is not None) == (code, sent, again), words
    assert send_refusal("server returned error 463").network_code == 463
    assert order_refusal("websocket not connected").holds == "line"
    assert "looked up" in unreachable("failed to dial: lookup web.whatsapp.com on 1.1.1.1:53: no such host")


def test_cards_and_addresses_survive_whatever_stands_in_them() -> None:
    _, card = write_card({"name": {"formatted_name": "A; B, C\nEND:VCARD"}, "phones": [{"phone": "+90 5\nTEL:1"}]})
    assert card.count("END:VCARD") == 2
    assert card.splitlines()[-1] == "END:VCARD"
    assert sum(line == "END:VCARD" for line in card.splitlines()) == 1
    read = read_card("", card)
    assert read["name"]["formatted_name"] == "A; B, C END:VCARD"
    assert len(read["phones"]) == 1
    assert read_card("X", "garbage\x00:;:") == {"name": {"formatted_name": "X"}, "phones": []}
    assert [str(jid(text)) for text in ("905", "905:3@s.whatsapp.net", "7@lid", "1-2@g.us", "")] == [
        "905@s.whatsapp.net", "905@s.whatsapp.net", "7@lid", "1-2@g.us", "",
    ]  # fmt: skip


def test_what_is_known_of_messages_is_bounded_and_goes_with_the_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = Memory(tmp_path / "messages.db")
    memory.keep("A", "7@lid", "7@lid", False, b"file")
    memory.keep("A", "other", "other", True)
    assert memory.find("A") == Known("7@lid", "7@lid", False, b"file")
    assert (tmp_path / "messages.db").stat().st_mode & 0o077 == 0
    monkeypatch.setattr("tablegram.linehost.engines.e2e.memory.KEPT", 100)
    for number in range(600):
        memory.keep(f"M{number}", "7@lid", "7@lid", False)
    assert memory.find("A") is None
    assert memory.find("M599")
    memory.forget()
    assert memory.find("M599") is None
    memory.close()
    assert KEPT > 1_000
