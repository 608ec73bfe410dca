"""Answers to requests that never became one: written straight to the connection, in the shape of the API's own."""

from __future__ import annotations

from http import HTTPStatus
from typing import NamedTuple

import msgspec

from tablegram.values.ids import new_id


class Refusal(NamedTuple):
    status: int
    code: str
    title: str
    detail: str


def malformed() -> Refusal:
    return Refusal(
        400,
        "request_malformed",
        "Malformed request",
        "This is not HTTP that can be read. Check the request line and the header fields.",
    )


def head_too_slow(limit_s: float) -> Refusal:
    return Refusal(
        408,
        "header_timeout",
        "Request timeout",
        f"The header fields did not arrive within {limit_s:g} seconds. Send the request again.",
    )


def head_too_large(limit_bytes: int) -> Refusal:
    return Refusal(
        431,
        "header_too_large",
        "Header too large",
        f"The header fields may have at most {limit_bytes:,} bytes. Send fewer or shorter ones.",
    )


def render(refusal: Refusal) -> bytes:
    request_id = new_id()
    body = msgspec.json.encode(
        {
            "type": f"/api/v1/docs#problem-{refusal.code}",
            "title": refusal.title,
            "status": refusal.status,
            "detail": refusal.detail,
            "instance": "/",
            "code": refusal.code,
            "request_id": request_id,
        }
    )
    head = (
        f"HTTP/1.1 {refusal.status} {HTTPStatus(refusal.status).phrase}\r\n"
        "content-type: application/problem+json\r\n"
        f"content-length: {len(body)}\r\n"
        f"x-request-id: {request_id}\r\n"
        "x-api-version: 1.4\r\n"
        "x-content-type-options: nosniff\r\n"
        "cache-control: no-store\r\n"
        "connection: close\r\n"
        "\r\n"
    )
    return head.encode("ascii") + body
