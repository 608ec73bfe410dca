"""How the network's own API reads a request and says no."""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec
from litestar import Request, Response

from tablegram.errors import Conflict, Invalid, NotFound, Problem
from tablegram.sandbox.network import Network
from tablegram.sandbox.store import Number
from tablegram.values.ids import new_id
from tablegram.web import problems

Body = TypeVar("Body")
MAX_BODY_BYTES = 32 * 1_048_576
_SEPARATORS = re.compile(r"[\s()+.-]")
_PHONE = re.compile(r"[1-9][0-9]{6,14}", re.ASCII)


def problem(request: Request[Any, Any, Any], error: Problem) -> Response[bytes]:
    own = {name.decode(): value.decode() for name, value in problems.headers(error)}
    body = problems.render(error, request.scope["path"], new_id())
    return Response(body, status_code=error.status, media_type=problems.MEDIA_TYPE, headers=own)


async def read_body(request: Request[Any, Any, Any], kind: type[Body]) -> Body:
    raw = await request.body()
    try:
        return msgspec.json.decode(raw or b"{}", type=kind)
    except msgspec.ValidationError as error:
        raise Invalid(f"The body does not fit: {error}.") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise Invalid(f"The body is not JSON: {error}.", code="json_invalid") from None


def phone_in(text: str) -> str:
    """The digits of a phone number, however it was written."""
    digits = _SEPARATORS.sub("", text)
    if _PHONE.fullmatch(digits) is None:
        raise Invalid.field(
            "phone", "phone_invalid", "Write the phone's number with its country code, 7 to 15 digits: 905551112233."
        )
    return digits


def whole_number(request: Request[Any, Any, Any], name: str, default: int, least: int, most: int) -> int:
    text = request.query_params.get(name)
    if text is None or text == "":
        return default
    try:
        value = int(text)
    except ValueError:
        raise Invalid.field(name, f"{name}_invalid", f"{name} must be a whole number.") from None
    if not least <= value <= most:
        raise Invalid.field(name, f"{name}_invalid", f"{name} must be between {least} and {most}.")
    return value


def line_for(network: Network, to: str | None) -> Number:
    """The line that a customer means: by its id, by its phone number, or the first one there is."""
    numbers = network.store.numbers()
    if not numbers:
        raise Conflict(
            "No line is registered yet. Create a sandbox line in the gateway, or PUT /sandbox/numbers/{id}.",
            code="no_line",
        )
    if to is None or to == "":
        return numbers[0]
    if found := network.store.number(to):
        return found
    digits = _SEPARATORS.sub("", to)
    for number in numbers:
        if digits and digits == _SEPARATORS.sub("", number.display_phone_number):
            return number
    raise Invalid.field("to", "line_unknown", f"No line {to[:60]!r} is registered; GET /sandbox/numbers lists them.")


def must_have_number(network: Network, number_id: str) -> Number:
    if number := network.store.number(number_id):
        return number
    raise NotFound(f"No line {number_id[:80]!r} is registered; GET /sandbox/numbers lists them.")
