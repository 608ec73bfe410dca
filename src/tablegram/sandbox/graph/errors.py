"""Refusals in the Graph API's shape."""

from __future__ import annotations

import secrets
from typing import NotRequired, TypedDict

TITLES = {
    1: "API Unknown",
    2: "API Service",
    4: "API Too Many Calls",
    10: "Permission Denied",
    100: "Invalid parameter",
    190: "Authentication Error",
    368: "Temporarily blocked for policies violations",
    463: "This number may write to no new people for now",
    80007: "Rate limit issues",
    130429: "Rate limit hit",
    130472: "User's number is part of an experiment",
    131000: "Something went wrong",
    131005: "Access denied",
    131008: "Required parameter is missing",
    131009: "Parameter value is not valid",
    131016: "Service unavailable",
    131021: "Recipient cannot be sender",
    131026: "Message undeliverable",
    131030: "Recipient phone number not in allowed list",
    131031: "Business Account locked",
    131042: "Business eligibility payment issue",
    131047: "Re-engagement message",
    131048: "Spam rate limit hit",
    131049: "This message was not delivered to maintain healthy ecosystem engagement",
    131050: "User has stopped marketing messages",
    131051: "Unsupported message type",
    131052: "Media download error",
    131053: "Media upload error",
    131056: "(Business Account, Consumer Account) pair rate limit hit",
    131057: "Business Account is in maintenance mode",
    132000: "Number of parameters does not match the expected number of params",
    132001: "Template name does not exist in the translation",
    132015: "Template is paused",
    132016: "Template is disabled",
}


class ErrorData(TypedDict):
    messaging_product: NotRequired[str]
    details: str


class Refusal(TypedDict):
    message: str
    type: str
    code: int
    error_data: ErrorData
    fbtrace_id: str
    error_subcode: NotRequired[int]


class ErrorBody(TypedDict):
    error: Refusal


class StatusError(TypedDict):
    code: int
    title: str
    message: str
    error_data: ErrorData
    href: str


class GraphError(Exception):
    """One refusal: HTTP status, network code and the detail that says what was wrong."""

    def __init__(self, code: int, details: str = "", *, http_status: int = 400, subcode: int | None = None) -> None:
        super().__init__(details)
        self.code, self.details, self.http_status, self.subcode = code, details, http_status, subcode

    def body(self) -> ErrorBody:
        title = TITLES.get(self.code, "Unknown error")
        error: Refusal = {
            "message": f"(#{self.code}) {title}",
            "type": "OAuthException",
            "code": self.code,
            "error_data": {"messaging_product": "whatsapp", "details": self.details or title},
            "fbtrace_id": "A" + secrets.token_urlsafe(16).replace("-", "x"),
        }
        if self.subcode is not None:
            error["error_subcode"] = self.subcode
        return {"error": error}


def status_error(code: int, details: str = "") -> StatusError:
    """The same failure as it stands inside a `failed` status."""
    title = TITLES.get(code, "Unknown error")
    return {
        "code": code,
        "title": title,
        "message": title,
        "error_data": {"details": details or title},
        "href": "https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes",
    }


def missing(path: str) -> GraphError:
    return GraphError(131008, f"The parameter {path} is required.")


def wrong(path: str, why: str) -> GraphError:
    return GraphError(131009, f"Param {path} {why}.")
