"""Every answer that is not a success, in one shape (RFC 9457)."""

from __future__ import annotations

import logging
from typing import Any

import msgspec
from litestar.exceptions import HTTPException, ValidationException

from tablegram.errors import FieldError, Invalid, NotFound, Problem

log = logging.getLogger("tablegram.api")

MEDIA_TYPE = "application/problem+json"
TYPE_BASE = "/api/v1/docs#problem-"

_encode = msgspec.json.Encoder().encode


class MethodNotAllowed(Problem):
    status, title, code = 405, "Method not allowed", "method_not_allowed"


class BodyTooSlow(Problem):
    status, title, code = 408, "Request timeout", "body_timeout"


class BodyTooLarge(Problem):
    status, title, code = 413, "Body too large", "body_too_large"


class WrongContentType(Problem):
    status, title, code = 415, "Unsupported media type", "content_type_unsupported"


class Internal(Problem):
    """A bug of ours. The log has the rest, under the request's id."""


def render(problem: Problem, instance: str, request_id: str) -> bytes:
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
        document["errors"] = [
            {"field": error.field, "code": error.code, "detail": error.detail} for error in problem.errors
        ]
    for name, value in problem.extra.items():
        document.setdefault(name, value)
    return _encode(document)


def headers(problem: Problem) -> list[tuple[bytes, bytes]]:
    """The fields that belong to this problem alone."""
    fields = [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
    if problem.retry_after_s is not None:
        fields.append((b"retry-after", b"%d" % max(1, problem.retry_after_s)))
    if problem.status == 401:
        fields.append((b"www-authenticate", b'Bearer realm="tablegram"'))
    return fields


def as_problem(error: Exception, request_id: str) -> Problem:
    """What a caller is told about any error. Whatever was not raised on purpose is logged and told in few words."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, ValidationException):
        return _of_parameters(error)
    if isinstance(error, HTTPException):
        known = _of_framework(error)
        if known is not None:
            return known
    log.error("request %s failed", request_id, exc_info=error)
    return Internal(
        "The gateway failed to answer this request. Try again; if it happens again, "
        f"tell the operator the request id {request_id}."
    )


def _of_framework(error: HTTPException) -> Problem | None:
    match error.status_code:
        case 404:
            return NotFound("There is nothing at this address. The addresses are listed at /api/v1/docs.")
        case 400 | 422:
            return Invalid("The request cannot be read. Check it against /api/v1/docs.", code="request_malformed")
        case 413:
            return BodyTooLarge("The body is too large.")
    return None


def _of_parameters(error: ValidationException) -> Problem:
    found = error.extra if isinstance(error.extra, list) else []
    errors = [_parameter_error(item) for item in found if isinstance(item, dict)]
    if not errors:
        return Invalid("A parameter of the address is wrong. Check it against /api/v1/docs.", code="parameter_invalid")
    return Invalid.fields(errors)


def _parameter_error(item: dict[str, Any]) -> FieldError:
    """The framework's words about a parameter, in ours."""
    name, message = str(item.get("key", "query")), str(item.get("message", ""))
    if "<=" in message or ">=" in message:
        return FieldError(name, "out_of_range", f"{name} is out of range: {_plain(message)}.")
    if "enum" in message.lower():
        return FieldError(name, "not_allowed", f"{name} is not one of the values that are listed at /api/v1/docs.")
    if "matching regex" in message or "length" in message:
        return FieldError(name, "format_invalid", f"{name} does not have the right form: {_plain(message)}.")
    if "missing" in message.lower():
        return FieldError(name, "missing", f"{name} is required.")
    return FieldError(name, "wrong_type", f"{name} cannot be read: {_plain(message)}.")


def _plain(message: str) -> str:
    return message.replace("`", "").replace("Expected", "expected").replace(" int ", " a number ").rstrip(".")
