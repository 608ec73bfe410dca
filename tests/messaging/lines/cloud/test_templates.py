"""What the network says of a template, in our words and codes; what was never said is never taken for a yes."""

from __future__ import annotations

import socket
from typing import Any

from tablegram.messaging.model import Media
from tablegram.messaging.ports import Accepted, Delayed, NetworkRefused, NetworkTemplate, Unknown
from tablegram.values import Json
from tests.cases import cases
from tests.messaging.lines.cloud.lines import cloud_line

BODY: list[Json] = [{"type": "BODY", "text": "Hi."}]


async def test_calls_are_as_the_network_reads_them() -> None:
    async with cloud_line(waba_id="77") as (line, graph):
        calls = line.template_calls
        graph.answer(200, {"id": "900", "status": "PENDING", "category": "MARKETING"})
        made = await calls.create("offer", "tr", "utility", BODY, is_named=False)
        # The network may think of another category.
        assert made == NetworkTemplate("offer", "tr", "PENDING", "MARKETING", BODY, "900")
        graph.answer(200, {"success": True})
        assert await calls.edit("900", "", BODY) == Accepted("900")
        graph.answer(200, {"success": True})
        assert await calls.delete("900", "offer") == Accepted("900")
        assert [(seen.method, seen.path, seen.query) for seen in graph.seen] == [
            ("POST", "/v25.0/77/message_templates", {}),
            ("POST", "/v25.0/900", {}),
            ("DELETE", "/v25.0/77/message_templates", {"name": "offer", "hsm_id": "900"}),
        ]
        assert graph.seen[0].body == {
            "name": "offer", "language": "tr", "category": "UTILITY", "parameter_format": "POSITIONAL", "components": BODY,
        }  # fmt: skip
        assert graph.seen[1].body == {"components": BODY}
        # What is gone already is taken away.
        graph.error(404, 100, error_data={"details": "Message template offer does not exist."})
        assert await calls.delete("900", "offer") == Accepted("900")


async def test_what_the_network_does_not_like_has_a_code_and_its_own_words() -> None:
    told: list[tuple[int, Any, type[Any], str]] = [
        (400, {"code": 100, "error_subcode": 2388024, "error_user_msg": "Exists."}, NetworkRefused, "template_exists"),
        (400, {"code": 2388024}, NetworkRefused, "template_exists"),
        (400, {"code": 100, "error_subcode": 2388023}, NetworkRefused, "template_name_resting"),
        (400, {"code": 100, "error_subcode": 2388040}, NetworkRefused, "template_text_too_long"),
        (400, {"code": 100, "error_subcode": 2388072}, NetworkRefused, "template_format_refused"),
        (400, {"code": 100, "error_subcode": 2388293}, NetworkRefused, "template_variables_too_many"),
        (400, {"code": 100, "error_subcode": 2388299}, NetworkRefused, "template_variable_at_edge"),
        (400, {"code": 100, "error_subcode": 2388019}, NetworkRefused, "templates_too_many"),
        (400, {"code": 100, "error_user_msg": "A\nnew rule."}, NetworkRefused, "template_refused"),
        (400, {"code": 192, "error_subcode": {"odd": 1}}, NetworkRefused, "template_refused"),
        (400, {"code": 80008}, Delayed, "line_rate_limited"),
        (401, {"code": 190}, Delayed, "line_credentials_rejected"),
        (500, {"code": 2}, Delayed, "network_busy"),
        (500, {"code": "odd"}, Delayed, "network_busy"),
    ]
    async with cloud_line(waba_id="77") as (line, graph):
        with cases() as every:
            for status, error, kind, code in told:
                with every.case(str(error)):
                    graph.answer(status, {"error": error})
                    outcome = await line.template_calls.create("a", "en", "utility", BODY, is_named=True)
                    assert isinstance(outcome, kind)
                    assert outcome.code == code
                    said = error.get("error_user_msg")
                    assert not said or " ".join(said.split()) in outcome.detail


async def test_an_answer_that_says_nothing_is_unknown() -> None:
    async with cloud_line(waba_id="77") as (line, graph):
        calls = line.template_calls
        with cases() as every:
            for status, raw in ((200, b"nonsense"), (200, {"ok": 1}), (502, b"<html>"), (200, [1])):
                with every.case(f"{status} {raw!r}"):
                    for call in (
                        lambda: calls.create("a", "en", "utility", BODY, is_named=False),
                        lambda: calls.edit("9", "marketing", BODY),
                        lambda: calls.delete("9", "a"),
                    ):
                        graph.answer(status, raw)
                        assert isinstance(await call(), Unknown)
        graph.drop()
        assert isinstance(await calls.create("a", "en", "utility", BODY, is_named=False), Unknown)
        graph.answer(404, b"not here")
        assert isinstance(await calls.edit("9", "", BODY), Delayed)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        base_url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        async with cloud_line(base_url=base_url) as (line, _):
            for outcome in (
                await line.template_calls.create("a", "en", "utility", BODY, is_named=False),
                await line.template_calls.edit("9", "", BODY),
            ):
                assert isinstance(outcome, Delayed)
                assert outcome.code == "line_unreachable"


async def test_a_sample_goes_to_the_tokens_own_app_in_two_calls() -> None:
    async with cloud_line(waba_id="77") as (line, graph):
        graph.answer(200, b"picture")
        graph.answer(200, {"id": "2000"})
        graph.answer(200, {"id": "upload:MTph==?sig=ARZ_1"})
        graph.answer(200, {"h": "4::aW"})
        media = Media("image", f"{graph.url}/dish.png", False, "", "dish.png", "image/png")
        assert await line.template_calls.upload_sample(media) == "4::aW"
        _, app, opened, sent = graph.seen
        assert app.path == "/v25.0/app"
        assert (opened.path, opened.query) == (
            "/v25.0/2000/uploads", {"file_name": "dish.png", "file_length": "7", "file_type": "image/png"},
        )  # fmt: skip
        assert (sent.path, sent.query, sent.raw) == ("/v25.0/upload:MTph==", {"sig": "ARZ_1"}, b"picture")
        assert (sent.headers["Authorization"], sent.headers["file_offset"]) == ("OAuth token-1", "0")
        graph.answer(200, b"picture")
        graph.answer(200, {"id": "2000"})
        graph.error(400, 100)
        assert isinstance(await line.template_calls.upload_sample(media), NetworkRefused)


async def test_quality_and_reasons_are_read_and_odd_ones_are_nothing() -> None:
    async with cloud_line(waba_id="77") as (line, graph):
        names = {"name": "a", "language": "en", "status": "REJECTED", "category": "UTILITY"}
        graph.answer(200, {"data": [
            {**names, "id": "1", "quality_score": {"score": "GREEN"}, "rejected_reason": "NONE"},
            {**names, "id": 2, "quality_score": {"score": "UNKNOWN"}, "rejected_reason": "ABUSIVE_CONTENT"},
            {**names, "quality_score": "GREEN", "rejected_reason": None, "components": [1, {"type": "BODY"}]},
            {**names, "components": "x"}, 7, {**names, "status": None},
        ]})  # fmt: skip
        found = await line.templates()
        assert [(one.id, one.quality, one.reason, one.components) for one in found] == [
            ("1", "GREEN", "", []), ("2", "", "ABUSIVE_CONTENT", []), ("", "", "", [{"type": "BODY"}]), ("", "", "", []),
        ]  # fmt: skip
