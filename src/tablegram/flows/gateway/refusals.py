"""A refusal by the network as an Idempotency-Key remembers it: kept like an answer, raised like a problem."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec

from tablegram.engine.idempotency import Call, Idempotency, KeptAnswer, Result, read_result
from tablegram.errors import Refused

T = TypeVar("T")


class SendRefusal(msgspec.Struct, frozen=True):
    code: str
    detail: str
    network_code: int | None


def kept(told: T | SendRefusal) -> KeptAnswer:
    """What a key keeps of either end of a call."""
    if isinstance(told, SendRefusal):
        return Result(told, 422).encoded()
    return Result(told).encoded()


def result(told: T | SendRefusal) -> Result[T]:
    """Either end of a call for who waits for it."""
    if isinstance(told, SendRefusal):
        raise refused(told)
    return Result(told)


def read(answer: KeptAnswer, kind: type[T]) -> Result[T]:
    """What was kept, as it was: an answer, or the problem that a refusal is."""
    if answer.status < 300:
        return read_result(answer, kind)
    raise refused(read_result(answer, SendRefusal).value, is_replayed=answer.replayed)


async def after(
    idempotency: Idempotency,
    kind: type[T],
    account_id: int,
    call: Call,
    effect: Callable[[], Awaitable[Result[T] | SendRefusal]],
) -> Result[T]:
    """`Idempotency.after_for` for an effect that the network may refuse: its refusal is kept, and raised each time."""

    async def encoded() -> KeptAnswer:
        told = await effect()
        return kept(told) if isinstance(told, SendRefusal) else told.encoded()

    return read(await idempotency.after(account_id, call, encoded), kind)


def refused(refusal: SendRefusal, *, is_replayed: bool = False) -> Refused:
    headers = {"Idempotent-Replayed": "true"} if is_replayed else {}
    return Refused(refusal.detail, code=refusal.code, headers=headers, extra={"network_code": refusal.network_code})
