"""Templates in the panel: listed with how they stand, written beside a phone, handed over, edited, taken away."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import web

from tests.messaging.lines.stub_graph import Step, StubGraph, respond, stub_graph
from tests.panel.line_fields import CLOUD
from tests.panel.visiting import house

TEXT = "Merhaba {{1}}, siparişin {{2}} hazır."
TYPED = {
    "name": "order_ready", "language": "tr", "category": "utility", "header_format": "text", "header_text": "Sipariş {{1}}",
    "header_example": "ORD-1", "text": TEXT, "examples": "Ayşe\nORD-1", "footer": "Afiyet olsun",
    "button_0_type": "quick_reply", "button_0_text": "Geliyorum",
    "button_2_type": "url", "button_2_text": "İzle", "button_2_url": "https://shop.example/t/{{1}}", "button_2_example": "a1",
}  # fmt: skip


class Network:
    """A business account with some templates; it takes what it is given."""

    def __init__(self, graph: StubGraph) -> None:
        self.graph = graph
        # What the next call that changes templates is answered with; nothing comes between, as by the line's own looks.
        self.refusal: Any = None
        self.is_down = False
        self.templates = [_template("1", "weekend_offer", "APPROVED", quality_score={"score": "YELLOW"}),
                          _template("2", "last_chance", "REJECTED", rejected_reason="INVALID_FORMAT")]  # fmt: skip
        graph.otherwise = self.answer

    def calls(self, method: str = "", end: str = "/message_templates") -> list[Any]:
        """What was asked about templates; a line's own looks are not counted."""
        return [seen for seen in self.graph.seen if seen.path.endswith(end) and method in ("", seen.method)]

    def answer(self, request: web.Request, raw: bytes) -> Step | None:
        for end, told in (("/app", {"id": "2000"}), ("/uploads", {"id": "upload:x"}), ("/upload:x", {"h": "4::h"})):
            if request.path.endswith(end):
                return respond(200, told)
        if request.path.endswith("/message_templates"):
            if self.is_down:
                return respond(500, b"down")
            if request.method == "POST" and self.refusal:
                return respond(400, {"error": self.refusal})
            if request.method == "GET":
                return respond(200, {"data": self.templates})
            if request.method == "POST":
                fields = msgspec.json.decode(raw)
                self.templates.append({**fields, "id": "3", "status": "PENDING"})
                return respond(200, {"id": "3", "status": "PENDING", "category": fields["category"]})
            self.templates = [one for one in self.templates if one["id"] != request.query["hsm_id"]]
            return respond(200, {"success": True})
        if request.method == "POST":
            return respond(200, {"success": True})
        return respond(200, {"id": "1065", "display_phone_number": "+1 555"})


def _template(id: str, name: str, status: str, **more: Any) -> dict[str, Any]:
    body = {"type": "BODY", "text": f"About {name} it is."}
    return {
        "id": id,
        "name": name,
        "language": "en",
        "status": status,
        "category": "MARKETING",
        "components": [body],
        **more,
    }


async def test_templates_are_seen_written_edited_and_taken_away(database_url: str, tmp_path: Path) -> None:
    async with stub_graph() as graph, house(database_url, tmp_path, cloud_base_url=graph.url) as one:
        network = Network(graph)
        owner = await one.person()
        nothing = (await owner.get("/panel/templates")).words
        assert "Linked devices write at any time" in nothing
        await owner.post("/panel/lines", {**CLOUD, "waba_id": "77"})
        listed = (await owner.get("/panel/templates")).words
        for words in ("weekend_offer", "Approved", "Medium", "last_chance", "Rejected", "cannot read its form"):
            assert words in listed
        assert "weekend_offer" not in (await owner.get("/panel/templates?status=REJECTED")).words
        assert "weekend_offer" not in (await owner.get("/panel/templates?q=last")).words
        # Where a template is named, those that may be sent are offered.
        offered = (await owner.get("/panel/notices/wording/order_confirmation-1-en")).text
        assert '<option value="weekend_offer">en</option>' in offered
        assert "last_chance" not in offered
        # What follows the news asks nobody.
        asked = len(network.calls())
        assert "weekend_offer" in (await owner.get("/panel/templates?part=templates")).words
        assert len(network.calls()) == asked
        # The phone follows what is typed, with what is still wrong.
        phone = await owner.post("/panel/templates/preview", TYPED)
        for words in ("Sipariş ORD-1", "Merhaba Ayşe, siparişin ORD-1 hazır.", "Afiyet olsun", "Geliyorum", "İzle"):
            assert words in phone.words
        half = await owner.post("/panel/templates/preview", {**TYPED, "examples": ""})
        assert "Give exactly one example" in half.words
        assert len(network.calls()) == asked
        wrong = await owner.post(
            "/panel/templates", {**TYPED, "name": "Order Ready", "button_2_example": "", "header_example": ""}
        )
        assert wrong.status == 422
        for field in ("name", "button_2_example", "header_example"):
            assert f'id="{field}-error"' in wrong.text
        assert TEXT in wrong.text
        assert len(network.calls()) == asked
        form = (await owner.get("/panel/templates/new")).text
        mark = re.findall(r'name="once" value="(\w+)"', form)[0]
        made = await owner.post("/panel/templates", {**TYPED, "once": mark})
        again = await owner.post("/panel/templates", {**TYPED, "once": mark})
        assert made.status == 303, made.words
        assert again.location == made.location
        posted = network.calls("POST")
        assert len(posted) == 1
        assert posted[0].body["components"][3]["buttons"][1] == {
            "type": "URL", "text": "İzle", "url": "https://shop.example/t/{{1}}", "example": ["https://shop.example/t/a1"],
        }  # fmt: skip
        shown = await owner.get(made.location)
        for words in ("Being looked at", "Edit it when it is approved or rejected", "Merhaba Ayşe"):
            assert words in shown.words
        assert "data-preview" not in shown.text
        # One that was rejected is put right, and looked at again.
        (path,) = set(re.findall(r"/panel/templates/\w{20,}", (await owner.get("/panel/templates?q=last")).text))
        editor = (await owner.get(path)).text
        assert "About last_chance it is." in editor
        assert (await owner.post(path, {"category": "marketing", "text": "{{1}}"})).status == 422
        edited = await owner.post(path, {"category": "utility", "text": "Come again soon."})
        assert edited.location == path
        assert network.calls("POST", "/2")[-1].body == {
            "components": [{"type": "BODY", "text": "Come again soon."}],
            "category": "UTILITY",
        }
        assert (await owner.post(path, {"category": "utility", "text": "Once more."})).status == 409
        assert (await owner.post(f"{path}/delete", {"confirm": "another"})).status == 422
        assert (await owner.post(f"{path}/delete", {"confirm": "last_chance"})).status == 303
        assert "last_chance" not in (await owner.get("/panel/templates")).words
        # What the network does not like is told in its words; without it, what was known is shown.
        network.refusal = {"code": 100, "error_subcode": 2388072, "error_user_msg": "Too floral."}
        refused = await owner.post("/panel/templates", {**TYPED, "name": "another"})
        assert (refused.status, "Too floral." in refused.words) == (422, True)
        network.is_down = True
        assert "This is what was known last" in (await owner.get("/panel/templates")).words
        turk = await one.person("owner", language="tr")
        page = (await turk.get("/panel/templates/new")).words
        for words in ("Yeni şablon", "Ağın onayına gönder", "Hızlı yanıt", "Değişkenler {{1}}, {{2}} diye yazılır"):
            assert words in page
        half = await turk.post("/panel/templates", {**TYPED, "examples": ""})
        assert "Her değişken için tam bir örnek verin" in half.words
        staff = await one.person("staff")
        assert [(await staff.get(page)).status for page in ("/panel/templates", "/panel/templates/new")] == [403] * 2


async def test_a_header_that_is_a_picture_takes_its_sample_along(database_url: str, tmp_path: Path) -> None:
    async with stub_graph() as graph, house(database_url, tmp_path, cloud_base_url=graph.url) as one:
        network = Network(graph)
        owner = await one.person()
        await owner.post("/panel/lines", {**CLOUD, "waba_id": "77"})
        typed = {
            "name": "brunch",
            "language": "en",
            "category": "marketing",
            "header_format": "image",
            "text": "Come in.",
        }
        missing = await owner.post("/panel/templates", typed)
        assert (missing.status, "Choose a file that shows" in missing.words) == (422, True)
        png = b"\x89PNG\r\n\x1a\n" + b"0" * 64
        made = await owner.upload("/panel/templates", typed, "picture", "brunch.png", png)
        assert made.status == 303, made.words
        (sent,) = network.calls("POST", "/upload:x")
        assert sent.raw == png
        posted = network.calls("POST")
        assert posted[0].body["components"][0] == {
            "type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["4::h"]},
        }  # fmt: skip
        assert "Picture" in (await owner.get(made.location)).words
        text = await owner.upload("/panel/templates", {**typed, "name": "other"}, "picture", "a.txt", b"words")
        assert text.status == 422
