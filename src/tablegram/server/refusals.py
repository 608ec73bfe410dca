"""Answers to requests that never became one: written straight to the connection, in the shape that all listeners share."""

from __future__ import annotations

from http import HTTPStatus

from tablegram.errors import HeadTooLarge, Malformed, Problem, TooMany, TooSlow, Unavailable
from tablegram.values.ids import new_id
from tablegram.web import problems
from tablegram.web.version import API_VERSION


def malformed() -> Problem:
    return Malformed("This is not HTTP that can be read. Check the request line and the header fields.")


def head_too_slow(limit_s: float) -> Problem:
    return TooSlow(
        f"The header fields did not arrive within {limit_s:g} seconds. Send the request again.", code="header_timeout"
    )


def head_too_large(limit_bytes: int) -> Problem:
    return HeadTooLarge(f"The header fields may have at most {limit_bytes:,} bytes. Send fewer or shorter ones.")


def too_many_from_address(most: int) -> Problem:
    return TooMany(
        f"Your network has {most:,} connections open here. Close some, or wait a few seconds and try again.",
        code="too_many_connections",
        retry_after_s=5,
    )


def full() -> Problem:
    return Unavailable(
        "Too many are connected at this moment. Wait a few seconds and try again.", code="full", retry_after_s=5
    )


def render(refusal: Problem) -> bytes:
    request_id = new_id()
    body = problems.render(refusal, "/", request_id)
    own = "".join(f"{name.decode()}: {value.decode()}\r\n" for name, value in problems.headers(refusal))
    head = (
        f"HTTP/1.1 {refusal.status} {HTTPStatus(refusal.status).phrase}\r\n"
        f"content-type: {problems.MEDIA_TYPE}\r\n"
        f"content-length: {len(body)}\r\n"
        f"x-request-id: {request_id}\r\n"
        f"x-api-version: {API_VERSION}\r\n"
        "x-content-type-options: nosniff\r\n"
        "cache-control: no-store\r\n"
        f"{own}"
        "connection: close\r\n"
        "\r\n"
    )
    return head.encode("ascii") + body
