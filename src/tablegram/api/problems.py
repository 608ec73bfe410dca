"""What a caller of the API is told about any error: our own, the framework's, and bugs."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from tablegram.errors import FieldError, Invalid, Problem
from tablegram.web.problems import failed, of_status

if TYPE_CHECKING:
    from litestar.exceptions import ValidationException
    from litestar.typing import FieldDefinition

log = logging.getLogger("tablegram.api")

_UNREADABLE = "The request cannot be read. Check it against /api/v1/docs."
_WORDS = {
    400: _UNREADABLE,
    404: "There is nothing at this address. The addresses are listed at /api/v1/docs.",
    413: "The body is too large.",
    422: _UNREADABLE,
}


def as_problem(error: Exception, request_id: str, parameters: Mapping[str, FieldDefinition] | None = None) -> Problem:
    """What a caller is told about any error. Whatever was not raised on purpose is logged and told in few words.

    `parameters` are those of the handler, where one was found.
    """
    if isinstance(error, Problem):
        return error
    # Loaded here: a server that answers nothing but sends does without the framework.
    from litestar.exceptions import HTTPException, ValidationException

    if isinstance(error, ValidationException):
        return _of_parameters(error, parameters or {})
    if isinstance(error, HTTPException) and error.status_code in _WORDS:
        # A parameter that cannot be read is answered like a field that cannot.
        status = 422 if error.status_code == 400 else error.status_code
        return of_status(status, _WORDS[status])
    words = (
        "The gateway failed to answer this request. Try again; if it happens again, "
        f"tell the operator the request id {request_id}."
    )
    return failed(error, log, f"request {request_id}", words)


def _of_parameters(error: ValidationException, parameters: Mapping[str, FieldDefinition]) -> Problem:
    found = error.extra if isinstance(error.extra, list) else []
    errors = [_parameter_error(item, parameters) for item in found if isinstance(item, dict)]
    if not errors:
        return Invalid("A parameter of the address is wrong. Check it against /api/v1/docs.", code="parameter_invalid")
    return Invalid.fields(errors)


def _parameter_error(item: dict[str, Any], parameters: Mapping[str, FieldDefinition]) -> FieldError:
    """The framework's words about a parameter, in ours."""
    key, message = str(item.get("key", "query")), str(item.get("message", ""))
    parameter = parameters.get(key)
    name, wanted = (name_of(parameter), _wanted(parameter)) if parameter is not None else (key, "")
    if "<=" in message or ">=" in message:
        return FieldError(name, "out_of_range", f"{name} must be {wanted}." if wanted else _unfit(name, message))
    if "enum" in message.lower():
        return FieldError(name, "not_allowed", f"{name} must be {wanted}." if wanted else _unfit(name, message))
    if "matching regex" in message or "length" in message:
        return FieldError(name, "format_invalid", f"{name} does not have the right form: {_plain(message)}.")
    if "missing" in message.lower():
        return FieldError(name, "missing", f"{name} is required.")
    return FieldError(name, "wrong_type", f"{name} must be {wanted}." if wanted else _unfit(name, message))


def name_of(parameter: FieldDefinition) -> str:
    """What callers know it by: `state` cannot be a handler's own name for it."""
    return getattr(parameter.kwarg_definition, "name", None) or parameter.name


def _wanted(parameter: FieldDefinition) -> str:
    """What a parameter takes, in words: its values, or its kind of number and how large it may be."""
    kinds = [one for one in get_args(parameter.annotation) if one is not NoneType]
    kind = kinds[0] if len(kinds) == 1 and get_origin(parameter.annotation) is not Literal else parameter.annotation
    if get_origin(kind) is Literal:
        values = [str(one) for one in get_args(kind)]
        return f"one of: {', '.join(values)}" if len(values) > 1 else values[0]
    if kind is bool:
        return "true or false"
    if kind not in (int, float):
        return ""
    least, most = (getattr(parameter.kwarg_definition, bound, None) for bound in ("ge", "le"))
    word = "a whole number" if kind is int else "a number"
    if least is None:
        return word
    return f"{word}, {least} or more" if most is None else f"{word} from {least} to {most}"


def _unfit(name: str, message: str) -> str:
    return f"{name} cannot be read: {_plain(message)}."


def _plain(message: str) -> str:
    return message.replace("`", "").replace("Expected", "expected").replace(" int ", " a number ").rstrip(".")
