"""The bytes of a send's answer are a promise: what is shown, in which order, and what is left out."""

from __future__ import annotations

import msgspec

from tablegram.engine.idempotency import Result, read_result
from tablegram.flows.gateway.answers.sends import BatchAnswer, BatchEntry, SendAnswer
from tablegram.web.problems import FieldProblem


def test_a_send_is_answered_with_four_fields_in_the_order_of_the_contract() -> None:
    sent = SendAnswer(status="success", message_id="wamid.1", status_code="sent", cost_usd=0.0)
    assert (
        Result(sent).encoded().body
        == b'{"status":"success","message_id":"wamid.1","status_code":"sent","cost_usd":0.0}'
    )


def test_an_entry_of_a_batch_shows_either_the_four_fields_or_a_problem() -> None:
    wrong = [FieldProblem(field="phone", code="phone_invalid", detail="No.")]
    entries = [
        BatchEntry(index=0, status="success", message_id="gw.1", status_code="queued", cost_usd=0.0),
        BatchEntry(index=1, status="error", code="quota_exhausted", detail="Top up.", errors=[]),
        BatchEntry(index=2, status="error", code="phone_invalid", detail="No.", errors=wrong),
    ]
    answer = Result(BatchAnswer(data=entries)).encoded()
    assert msgspec.json.decode(answer.body)["data"] == [
        {"index": 0, "status": "success", "message_id": "gw.1", "status_code": "queued", "cost_usd": 0.0},
        {"index": 1, "status": "error", "code": "quota_exhausted", "detail": "Top up.", "errors": []},
        {"index": 2, "status": "error", "code": "phone_invalid", "detail": "No.",
         "errors": [{"field": "phone", "code": "phone_invalid", "detail": "No."}]},
    ]  # fmt: skip
    assert read_result(answer, BatchAnswer).encoded().body == answer.body
