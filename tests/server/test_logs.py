"""The log says what happened in the form that was asked for, with its request and without secrets."""

from __future__ import annotations

import json
import logging
import sys

from tablegram.server.logs import JsonLines, TextLines
from tablegram.values.watching import trail


def record(words: str, *arguments: object, **more: object) -> logging.LogRecord:
    made = logging.LogRecord("tablegram.lines", logging.WARNING, "", 0, words, arguments, None)
    made.__dict__.update(more)
    return made


def test_a_json_line_is_one_object_with_its_request_and_facts() -> None:
    said = json.loads(JsonLines().format(record("line %s\nfailed", 7, request_id="r-1", facts={"line": 7})))
    assert said.pop("time").endswith("+00:00")
    assert said == {
        "level": "warning", "logger": "tablegram.lines", "message": "line 7\nfailed", "request_id": "r-1", "line": 7,
    }  # fmt: skip
    assert "\n" not in JsonLines().format(record("line %s\nfailed", 7))


def test_whatever_is_logged_while_a_request_is_followed_bears_its_id() -> None:
    trail.follow("r-2")
    try:
        assert json.loads(JsonLines().format(record("x")))["request_id"] == "r-2"
        assert TextLines().format(record("x")).endswith(" WARNING tablegram.lines x request_id=r-2")
    finally:
        trail.follow("")
    assert "request_id" not in json.loads(JsonLines().format(record("x")))


def test_no_secret_gets_into_a_line_not_even_by_an_error() -> None:
    try:
        raise ValueError("tg_live_AbC123 and whsec_c2VjcmV0+/=")
    except ValueError:
        failed = record("the key %s", "tg_test_XyZ789", exc_info=sys.exc_info())
    for lines in (JsonLines(), TextLines()):
        text = lines.format(failed)
        assert "ValueError" in text
        assert not any(secret in text for secret in ("AbC123", "XyZ789", "c2VjcmV0"))
