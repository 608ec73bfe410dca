"""What a caller of the API is told about any error: our own, the framework's, and bugs."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from tablegram.errors import FieldError, Invalid, Problem
from tablegram.web.problems import failed, of_status

if TYPE_CHECKING:
    from litestar.exceptions import ValidationException

log = logging.getLogger("tablegram.api")

_UNREADABLE = "The request cannot be read. Check it against /api/v1/docs."
_WORDS = {
    400: _UNREADABLE,
    404: "There is nothing at this address. The addresses are listed at /api/v1/docs.",
    413: "The body is too large.",
    422: _UNREADABLE,
}


def as_problem(error: Exception, request_id: str) -> Problem:
    """What a caller is told about any error. Whatever was not raised on purpose is logged and told in few words."""
    if isinstance(error, Problem):
        return error
    # Loaded here: a server that answers nothing but sends does without the framework.
    from litestar.exceptions import HTTPException, ValidationException

    if isinstance(error, ValidationException):
        return _of_parameters(error)
    if isinstance(error, HTTPException) and error.status_code in _WORDS:
        # A parameter that cannot be read is answered like a field that cannot.
        status = 422 if error.status_code == 400 else error.status_code
        return of_status(status, _WORDS[status])
    words = (
        "The gateway failed to answer this request. Try again; if it happens again, "
        f"tell the operator the request id {request_id}."
    )
    return failed(error, log, f"request {request_id}", words)


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
