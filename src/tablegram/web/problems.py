"""Every answer that is not a success, in the one shape that all listeners share (RFC 9457)."""

from __future__ import annotations

import logging
from typing import Any

import msgspec

from tablegram.errors import (
    BodyTooLarge,
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
from tablegram.storage.room import is_full

MEDIA_TYPE = "application/problem+json"
TYPE_BASE = "/api/v1/docs#problem-"

_encode = msgspec.json.Encoder().encode
_BY_STATUS: dict[int, type[Problem]] = {
    kind.status: kind for kind in (Malformed, NotFound, MethodNotAllowed, TooSlow, BodyTooLarge, WrongContentType)
}


def render(problem: Problem, instance: str, request_id: str) -> bytes:
    """The document: what happened at which address, and the number under which our log knows it."""
    document: dict[str, Any] = {
        "type": TYPE_BASE + problem.code,
        "title": problem.title,
        "status": problem.status,
        "detail": problem.detail,
        "instance": instance,
        "code": problem.code,
        "request_id": request_id,
    }
    if problem.status == 422:
        document["errors"] = field_errors(problem)
    for name, value in problem.extra.items():
        document.setdefault(name, value)
    return _encode(document)


def field_errors(problem: Problem) -> list[dict[str, str]]:
    return [{"field": one.field, "code": one.code, "detail": one.detail} for one in problem.errors]


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
