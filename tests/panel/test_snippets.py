"""Code that is shown to be copied works as it is shown, whatever is filled into it."""

from __future__ import annotations

import json
import subprocess
from typing import Any
from urllib.request import Request

import pytest

from tablegram.panel.pages.integrations.snippets import FirstMessage, curl, snippets

AWKWARD = """it's "quoted" \\ $HOME `x` çay"""


def message(text: str = AWKWARD) -> FirstMessage:
    return FirstMessage("http://127.0.0.1:1", "905551112233", text, "tg_test_abc", 7)


def test_the_shell_hands_the_words_over_unchanged() -> None:
    said = subprocess.run(
        ["sh", "-c", "curl() { printf '%s\\0' \"$@\"; }; " + curl(message())],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\0")
    assert said[2] == "http://127.0.0.1:1/api/v1/messages/send"
    assert "Authorization: Bearer tg_test_abc" in said
    assert json.loads(said[said.index("-d") + 1]) == {"phone": "905551112233", "message": AWKWARD, "instance_id": 7}


def test_the_python_sample_sends_what_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Request] = []

    class Answer:
        def __enter__(self) -> Answer:
            return self

        def __exit__(self, *_: Any) -> None: ...

        def read(self) -> bytes:
            return b"{}"

    def urlopen(request: Request) -> Answer:
        asked.append(request)
        return Answer()

    monkeypatch.setattr("urllib.request.urlopen", urlopen)
    code = next(one.code for one in snippets(message()) if one.name == "python")
    exec(compile(code, "sample", "exec"), {})
    assert isinstance(asked[0].data, bytes)
    assert json.loads(asked[0].data)["message"] == AWKWARD
    assert asked[0].get_header("Authorization") == "Bearer tg_test_abc"


def test_every_language_names_the_line_only_when_there_is_one() -> None:
    without = FirstMessage("http://h", "905551112233", "hi")
    assert all("instance_id" in one.code and "tg_test_abc" in one.code for one in snippets(message()))
    assert all("instance_id" not in one.code and "tg_live_YOUR_KEY" in one.code for one in snippets(without))
