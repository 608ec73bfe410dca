"""The driver's calls about templates against the sandbox's real HTTP: made, looked at, told of, edited, sent, taken away."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tablegram.messaging.lines.cloud import callbacks
from tablegram.messaging.lines.sandbox.driver import SandboxLine
from tablegram.messaging.model import Media, Outbound, Template
from tablegram.messaging.ports import Accepted, NetworkRefused, NetworkTemplate
from tablegram.messaging.templates.components import build
from tablegram.messaging.templates.model import Header, TemplateButton, TemplateDraft
from tablegram.values import Json
from tablegram.values.http.network import Session
from tablegram.values.http.outbound import GuardedClient, Targets
from tests.cases import cases
from tests.contract.networks import LOOPBACK
from tests.messaging.lines.stub_graph import respond, stub_graph
from tests.sandbox.stage import ANNA, LINE, TOKEN, Stage, stage

DRAFT = TemplateDraft(
    name="order_ready",
    language="tr",
    category="utility",
    text="Merhaba {{1}}, {{2}} hazır.",
    examples=("Ayşe", "ORD-1"),
    header=Header(text="Sipariş {{1}}", example="ORD-1"),
    footer="Afiyet olsun",
    buttons=(
        TemplateButton(type="quick_reply", text="Geliyorum"),
        TemplateButton(type="url", text="İzle", url="https://shop.example/t/{{1}}", example="abc"),
    ),
)


def events(net: Stage) -> list[tuple[str, str]]:
    return [
        (value["event"], value["message_template_name"]) for value in net.values() if "message_template_name" in value and "event" in value
    ]  # fmt: skip


async def decide(net: Stage, template_id: str, **decision: str) -> dict[str, Any]:
    status, told = await net.call("POST", f"/templates/{LINE}/{template_id}", decision)
    assert status == 200, told
    return dict(told)


async def test_a_template_lives_its_life_on_the_sandbox(tmp_path: Path) -> None:
    fetcher = GuardedClient(Targets(LOOPBACK))
    async with stage(tmp_path / "s.db") as net, Session() as session, stub_graph() as files:
        line = SandboxLine(session, net.url, LINE, TOKEN, fetcher=fetcher, budget_s=30)
        calls = line.template_calls

        async def status_of(name: str) -> tuple[str, str, str]:
            one = next(one for one in await line.templates() if one.name == name)
            return one.status, one.quality, one.reason

        made = await calls.create("order_ready", "tr", "utility", build(DRAFT), is_named=False)
        assert isinstance(made, NetworkTemplate)
        assert made.status == "PENDING"
        again = await calls.create("order_ready", "tr", "utility", build(DRAFT), is_named=False)
        assert isinstance(again, NetworkRefused)
        assert again.code == "template_exists"
        # Approved after a moment, and the line is told.
        await net.until(lambda: ("APPROVED", "order_ready") in events(net))
        assert await status_of("order_ready") == ("APPROVED", "", "")
        (notice,) = [item for raw in net.told for item in callbacks.parse(_raw(raw))]
        assert (notice.kind, notice.facts["event"], notice.waba_id != "") == ("template_status", "APPROVED", True)  # type: ignore[union-attr]
        assert notice.at_ms > 0  # type: ignore[union-attr]
        values = [{"type": "text", "text": word} for word in ("Ayşe", "ORD-7")]
        parts: list[Json] = [{"type": "header", "parameters": values[1:]}, {"type": "body", "parameters": values}]
        sent = await line.transmit(Outbound("c1", ANNA, Template("order_ready", "tr", parts)))
        assert isinstance(sent, Accepted)
        (shown,) = await net.on_phone()
        assert shown["text"].splitlines() == [
            "Sipariş ORD-7", "Merhaba Ayşe, ORD-7 hazır.", "Afiyet olsun", "İzle: https://shop.example/t/{{1}}",
        ]  # fmt: skip
        assert [button["title"] for button in shown["buttons"]] == ["Geliyorum"]
        # Paused and rated by hand.
        await decide(net, made.id, event="PAUSED", quality="RED")
        assert await status_of("order_ready") == ("PAUSED", "RED", "")
        refused = await line.transmit(Outbound("c2", ANNA, Template("order_ready", "tr", parts)))
        assert isinstance(refused, NetworkRefused)
        assert refused.code == "template_paused"
        shorter: list[Json] = [{"type": "BODY", "text": "Hazır."}]
        assert await calls.edit(made.id, "marketing", shorter) == Accepted(made.id)
        await net.until(lambda: events(net).count(("APPROVED", "order_ready")) == 2)
        assert await calls.delete(made.id, "order_ready") == Accepted(made.id)
        assert await calls.delete(made.id, "order_ready") == Accepted(made.id)
        assert "order_ready" not in {one.name for one in await line.templates()}
        resting = await calls.create("order_ready", "tr", "utility", shorter, is_named=False)
        assert isinstance(resting, NetworkRefused)
        assert resting.code == "template_name_resting"
        # A file above the text.
        files.script.append(respond(200, b"\x89PNG\r\n\x1a\n", {"Content-Type": "image/png"}))
        handle = await calls.upload_sample(Media("image", f"{files.url}/a.png", False, "", "a.png", "image/png"))
        assert isinstance(handle, str)
        picture = TemplateDraft(
            name="rejected_offer", language="en", category="marketing", text="Come in.", header=Header(format="image")
        )
        offer = await calls.create("rejected_offer", "en", "marketing", build(picture, handle), is_named=False)
        assert isinstance(offer, NetworkTemplate)
        await net.until(lambda: ("REJECTED", "rejected_offer") in events(net))
        assert await status_of("rejected_offer") == ("REJECTED", "", "INVALID_FORMAT")
        # What waits for a person waits, and edited it is looked at again.
        waiting = await calls.create("pending_one", "en", "marketing", shorter, is_named=False)
        assert isinstance(waiting, NetworkTemplate)
        await net.settled()
        assert ("APPROVED", "pending_one") not in events(net)
        assert isinstance(await calls.edit(waiting.id, "", shorter), NetworkRefused)
        await decide(net, waiting.id, event="REJECTED", reason="SCAM")
        assert await status_of("pending_one") == ("REJECTED", "", "SCAM")
        assert await calls.edit(waiting.id, "utility", shorter) == Accepted(waiting.id)
        assert await status_of("pending_one") == ("PENDING", "", "")
        await decide(net, waiting.id, event="APPROVED")
        await net.until(lambda: ("APPROVED", "pending_one") in events(net))
    await fetcher.close()


def _raw(body: dict[str, Any]) -> bytes:
    return msgspec.json.encode(body)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"name": "Order Ready"}, "lowercase"),
    ({"category": "NEWS"}, "category"),
    ({"language": "turkish"}, "language"),
    ({"components": []}, "BODY"),
    ({"components": "x"}, "list"),
    ({"components": [{"type": "BODY", "text": "a" * 1_025}]}, "1024"),
    ({"components": [{"type": "BODY", "text": "Hi {{1}}."}]}, "example"),
    ({"components": [{"type": "BODY", "text": "Hi {{1}}", "example": {"body_text": [["x"]]}}]}, "start or end"),
    ({"components": [{"type": "BODY", "text": "Hi."}] * 2}, "each once"),
    ({"components": [{"type": "BODY", "text": "Hi."}, {"type": "HEADER", "format": "IMAGE"}]}, "sample"),
    ({"components": [{"type": "BODY", "text": "Hi."}, {"type": "HEADER", "format": ["x"]}]}, "format"),
    ({"components": [{"type": "BODY", "text": "Hi."}, {"type": "BUTTONS", "buttons": [{"type": "X"}]}]}, "type of button"),
    ({"components": [{"type": "BODY", "text": "Hi."}, {"type": "BUTTONS", "buttons": [7]}]}, "object"),
]  # fmt: skip


@pytest.mark.once
async def test_the_sandbox_refuses_what_the_network_would(tmp_path: Path) -> None:
    async with stage(tmp_path / "s.db") as net:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        _, number = await net.call("GET", f"/graph/v25.0/{LINE}", headers=headers)
        path = f"/graph/v25.0/{number['whatsapp_business_account']['id']}/message_templates"
        good = {"name": "a", "language": "en", "category": "UTILITY", "components": [{"type": "BODY", "text": "Hi."}]}
        with cases() as every:
            for changes, words in WRONG:
                with every.case(str(changes)[:80]):
                    status, told = await net.call("POST", path, {**good, **changes}, headers=headers)
                    assert status == 400
                    assert words in told["error"]["error_data"]["details"]
            for asked in ({"event": "GONE"}, {"quality": "BLUE"}, {}):
                with every.case(str(asked)):
                    assert (await net.call("POST", f"/templates/{LINE}/1", asked))[0] == 422
            with every.case("no such template"):
                assert (await net.call("POST", f"/templates/{LINE}/1", {"event": "APPROVED"}))[0] == 404
                assert (await net.call("POST", "/graph/v25.0/1", good, headers=headers))[0] == 400
            with every.case("a stranger's account"):
                stranger = await net.call("POST", "/graph/v25.0/12345/message_templates", good, headers=headers)
                assert stranger[0] == 400
                assert (await net.call("POST", path, good))[0] == 401
            with every.case("all lines' templates by hand"):
                assert {one["number_id"] for one in (await net.call("GET", "/templates"))[1]["data"]} == {LINE}
