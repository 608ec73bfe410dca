"""Every answer that is not a success, in the one shape that all listeners share (RFC 9457)."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tablegram.errors import (
    BodyTooLarge,
    FieldError,
    Internal,
    Invalid,
    Malformed,
    MethodNotAllowed,
    NotFound,
    Problem,
    StorageFull,
    TooSlow,
    WrongContentType,
)
from tablegram.storage.upkeep.room import is_full

MEDIA_TYPE = "application/problem+json"
TYPE_BASE = "/api/v1/docs#problem-"

_encode = msgspec.json.Encoder().encode
_BY_STATUS: dict[int, type[Problem]] = {
    kind.status: kind for kind in (Malformed, NotFound, MethodNotAllowed, TooSlow, BodyTooLarge, WrongContentType)
}


class FieldProblem(msgspec.Struct, kw_only=True, frozen=True):
    """One wrong field."""

    field: Annotated[str, Meta(description="Path of the field, for example messages[2].phone.")]
    code: Annotated[str, Meta(description="Stable code for programs.")]
    detail: Annotated[str, Meta(description="What is wrong and how to put it right.")]


class ProblemDocument(msgspec.Struct, kw_only=True, frozen=True):
    """Every answer that is not a success (RFC 9457)."""

    type: Annotated[str, Meta(description="Where this kind of problem is described.")]
    title: str
    status: Annotated[int, Meta(ge=400, le=599)]
    detail: Annotated[str, Meta(description="What happened and what to do.")]
    instance: Annotated[str, Meta(description="Path of the request.")]
    code: Annotated[str, Meta(description="Stable code for programs.", extra_json_schema={"pattern": "^[a-z0-9_]+$"})]
    request_id: Annotated[str, Meta(description="Names this request; quote it when you ask for help.")]
    errors: Annotated[list[FieldProblem], Meta(description="On 422: every wrong field.")] | UnsetType = UNSET


def render(problem: Problem, instance: str, request_id: str) -> bytes:
    """The document: what happened at which address, and the number under which our log knows it."""
    document = ProblemDocument(
        type=TYPE_BASE + problem.code,
        title=problem.title,
        status=problem.status,
        detail=problem.detail,
        instance=instance,
        code=problem.code,
        request_id=request_id,
        errors=field_problems(problem.errors) if problem.status == 422 else UNSET,
    )
    if not problem.extra:
        return _encode(document)
    # What some problems tell besides stands behind, and never in the place of what all of them tell.
    told = msgspec.to_builtins(document)
    return _encode(told | {name: value for name, value in problem.extra.items() if name not in told})


def field_problems(errors: Iterable[FieldError]) -> list[FieldProblem]:
    return [FieldProblem(field=one.field, code=one.code, detail=one.detail) for one in errors]


def headers(problem: Problem) -> list[tuple[bytes, bytes]]:
    """The fields that belong to this problem alone."""
    fields = [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
    if problem.retry_after_s is not None:
        fields.append((b"retry-after", b"%d" % max(1, problem.retry_after_s)))
    if problem.status == 401:
        fields.append((b"www-authenticate", b'Bearer realm="tablegram"'))
    return fields


def of_status(status: int, detail: str) -> Problem:
    """What a framework refused by itself, as one of ours; a status that we never give is a request we cannot read."""
    kind = _BY_STATUS.get(status, Invalid)
    return kind(detail, code="request_malformed") if kind is Invalid else kind(detail)


def failed(error: Exception, log: logging.Logger, where: str, words: str) -> Problem:
    """What was not raised on purpose: the log has all of it, the caller is told in few words."""
    log.error("%s failed", where, exc_info=error)
    if is_full(error):
        return StorageFull(
            "The disk of this installation is full. Nothing was kept; tell the operator, then try again."
        )
    return Internal(words)
