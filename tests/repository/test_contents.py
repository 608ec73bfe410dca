"""What no file of the repository may hold. The patterns are written so that they do not match themselves."""

from __future__ import annotations

import re
from pathlib import PurePath

import pytest

from tests.repository.files import repository_files, texts

FORBIDDEN = {
    "the host of a package registry": r"pypi[.]org|pythonhosted[.]org|npmjs[.]org|index-url[ =]+http|https?://\S+/simple\b",
    "a path of someone's machine": r"(?:(?<![\w.\]})/:-])|file:/[/])/(?:home|Users|root|work|opt|private)/\w",
    "a private key": r"-{5}BEGIN [A-Z ]*PRIVATE KEY",
    "an API key of ours": r"\btg_(?:live|test)_[0-9A-Za-z]{46}\b",
    # The docs sign with the bytes 0 to 31 and 32 to 63, which open nothing.
    "a webhook secret": r"\bwhsec_(?!AAECAwQFBgcICQoL|ICEiIyQlJicoKSor)[0-9A-Za-z+/]{24,}",
    "an access token of the network": r"\bEAA[0-9A-Za-z]{40,}",
    "a key of a payment provider": r"\b[sr]k_live_[0-9A-Za-z]{16,}",
    "a token of a code host": r"\b(?:gh[opsur]_[0-9A-Za-z]{36}|github_pat_\w{20,}|glpat-[\w-]{20,})",
    "a cloud access key": r"\bAKIA[0-9A-Z]{16}\b",
    "a signed token": r"\beyJ[\w-]{10,}[.]eyJ[\w-]{10,}[.]",
    "a mark of work left over": r"\b(?:TO[D]O|FIX[M]E|XX[X]|HA[C]K)\b",
    "a conflict that was not resolved": r"(?m)^(?:<{7} |>{7} |={7}$)",
}


# What stands in all that such a pattern finds: to look for that first is ten times as fast.
PARTS = {
    "the host of a package registry": ("pypi", "pythonhosted", "npmjs", "index-url", "/simple"),
    "a path of someone's machine": ("/home", "/Users", "/root", "/work", "/opt", "/private"),
    "a private key": ("PRIVATE",),
    "an API key of ours": ("tg_",),
    "a webhook secret": ("whsec_",),
    "an access token of the network": ("EAA",),
    "a key of a payment provider": ("k_live_",),
    "a token of a code host": ("gh", "glpat-"),
    "a cloud access key": ("AKIA",),
    "a signed token": ("eyJ",),
    "a conflict that was not resolved": ("<" * 7, ">" * 7, "=" * 7),
}


@pytest.mark.slow
def test_no_file_holds() -> None:
    found = []
    for what, pattern in FORBIDDEN.items():
        sought = re.compile(pattern)
        for name, text in texts():
            if any(part in text for part in PARTS.get(what, ("",))):
                found += [
                    f"{name}:{text.count(chr(10), 0, match.start()) + 1} holds {what}: {match.group()}"
                    for match in sought.finditer(text)
                ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("what", "example"),
    [
        ("the host of a package registry", "https://files.python" + "hosted.org/packages/x.whl"),
        ("a path of someone's machine", "see " + "/home/" + "ada/notes"),
        ("an API key of ours", "tg_live_" + "a" * 46),
        ("a private key", "-----BEGIN " + "RSA PRIVATE KEY-----"),
        ("a conflict that was not resolved", "a\n" + "<" * 7 + " ours\n"),
    ],
)
def test_the_patterns_find_what_they_are_for(what: str, example: str) -> None:
    assert re.search(FORBIDDEN[what], example)
    assert any(part in example for part in PARTS[what])


# What guests write, the name of a language, and what must not be found elsewhere.
OTHER_MEANINGS = {
    "src/tablegram/restaurant/reading/words/lexicon.py", "src/tablegram/restaurant/reading/words/tokens.py",
    "src/tablegram/values/words.py", "tests/crm/test_desk.py", "tests/panel/test_words.py",
}  # fmt: skip
WRITTEN_BY_US = {".py", ".js", ".html", ".css", ".md", ".sh"}


def test_a_person_is_they() -> None:
    """Nobody knows who a guest, a waiter or an owner is."""
    sought = re.compile(r"\b(?:[Hh]e|[Hh]is|[Hh]im|[Hh]imself)\b")
    found = [
        f"{name}:{text.count(chr(10), 0, match.start()) + 1}: say `they`, or who it is, and not `{match.group()}`"
        for name, text in texts()
        if str(name) not in OTHER_MEANINGS and PurePath(name).suffix in WRITTEN_BY_US
        for match in sought.finditer(text)
    ]
    assert not found, "\n".join(found)


def test_modules_are_named_after_the_domain() -> None:
    vague = {"utils", "util", "helpers", "helper", "manager", "managers", "common", "misc"}
    found = [
        f"{path} is named after nothing in particular: call it by what it is about"
        for path in repository_files()
        if path.suffix == ".py" and {path.stem, *path.parts} & vague
    ]
    assert not found, "\n".join(found)


def test_browser_tests_share_the_browser_of_their_process() -> None:
    found = [
        f"{name} starts a browser of its own: take the one that `browsing()` of tests/browser/chromium.py gives"
        for name, text in texts()
        if name.endswith(".py") and name not in ("tests/browser/chromium.py", "tests/repository/test_contents.py")
        if "sync_playwright()" in text
    ]
    assert not found, "\n".join(found)


def test_no_test_names_a_dialect() -> None:
    # An address (`kind://`) may stand in a test of what a setting accepts; a case for one database may not.
    word = re.compile(r"(?i)\b(?:sqlite3?|postgres(?:ql)?|asyncpg)\b(?!:/)")
    found = [
        f"{name}:{text.count(chr(10), 0, match.start()) + 1} names a database ({match.group()}): a test holds for each of them"
        for name, text in texts()
        if re.search(r"(^|/)test_\w+[.]py$", name) and name != "tests/repository/test_contents.py"
        for match in word.finditer(text)
    ]
    assert not found, "\n".join(found)
