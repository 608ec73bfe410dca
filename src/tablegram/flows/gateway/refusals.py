"""A refusal by the network as an Idempotency-Key remembers it: stored like an answer, raised like a problem."""

from __future__ import annotations

import msgspec

from tablegram.engine.idempotency import Answer
from tablegram.errors import Refused


class Refusal(msgspec.Struct, frozen=True):
    code: str
    detail: str
    network_code: int | None


def stored(code: str, detail: str, network_code: int | None) -> Answer:
    return Answer(422, msgspec.json.encode(Refusal(code, detail, network_code)))


def or_refuse(answer: Answer) -> Answer:
    """A stored refusal becomes the problem that it was."""
    if answer.status == 200:
        return answer
    refusal = msgspec.json.decode(answer.body, type=Refusal)
    headers = {"Idempotent-Replayed": "true"} if answer.replayed else {}
    raise Refused(refusal.detail, code=refusal.code, headers=headers, extra={"network_code": refusal.network_code})
