"""The panel's words: all that its pages ask for, and none that nobody says."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import msgspec
import pytest

import tablegram.panel
from tablegram.api.docs_page.catalogue import CODES
from tablegram.panel.frame.turkish import until
from tablegram.values.words import LANGUAGES

PANEL = Path(tablegram.panel.__file__).parent


def files_of(language: str) -> list[str]:
    folder = PANEL / "words" / language
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.json"))


AREAS = files_of("en")
# Chosen by what a service says: a problem's code, an action's name.
SAID_BY_CODE = ("problem.", "code.", "audit.did_", "audit.detail_")


@cache
def area(language: str, name: str) -> dict[str, str]:
    return msgspec.json.decode((PANEL / "words" / language / name).read_bytes(), type=dict[str, str])


@cache
def source() -> str:
    paths = [path for kind in ("*.py", "*.html", "*.js") for path in PANEL.rglob(kind)]
    return "\n".join(path.read_text() for path in sorted(paths))


@cache
def said() -> tuple[set[str], tuple[str, ...]]:
    """What the source names as a whole, and what it begins names with."""
    # `t("state." ~ x)`, `t(f"usage.category_{x}")`, `.get("audit.did_" + x)`: the beginning is written out.
    beginnings = set(re.findall(r"""["']([a-z_]+\.[a-z_.]*)(?:["'] ?[~+]|\{)""", source()))
    return set(re.findall(r"""(?=["']([^"'\s]+)["'])""", source())), (*beginnings, *SAID_BY_CODE)


@pytest.mark.parametrize("name", AREAS)
def test_no_word_is_there_that_nobody_says(name: str) -> None:
    names, beginnings = said()
    for key in area("en", name):
        stem = re.sub(r"\.(one|other)$", "", key)
        assert stem in names or stem.startswith(beginnings), key


def test_every_key_that_a_page_asks_for_is_there() -> None:
    known = {re.sub(r"\.(one|other)$", "", key) for name in AREAS for key in area("en", name)}
    asked = set(re.findall(r"""\bt\(["']([a-z_]+\.[a-z0-9_.]+)["'][,)]""", source()))
    assert asked - known == set()


def test_every_problem_of_the_api_is_told_in_turkish_in_the_request_log() -> None:
    known = {key for name in AREAS for key in area("tr", name)}
    # Those of strangers, and of requests that never become one, are in no account's log.
    elsewhere = {"key_missing", "key_malformed", "key_unknown", "key_expired", "key_revoked", "account_suspended",
                 "header_timeout", "header_too_large"}  # fmt: skip
    assert {code for code in CODES if not {f"code.{code}", f"problem.{code}"} & known} <= elsewhere


# One word a thing (decision 0042): what was said otherwise, or was no way to say it, does not come back. An instance is the
# API's word alone, so no sentence has it: people read line.
NOT_SAID = {
    "en": (r"for a yes", r"[Hh]ow (it|order \{number\}) is paid", r"[Ff]ailing since", r"asked with", r"[Ww]hat stands there",
           r"\{n\} venues$", r"\bs?he\b", r"\bhis\b", r"\bhim\b", r"\b[Ii]nstances?\b",
           r"(?<!ended )\bby (itself|themselves)\b", r"\bstands? here\b", r"[Ff]or ever\b", r"Webhook (added|changed|deleted)"),
    "tr": (r"[Kk]onu[kğ]", r"(?<!Ana )\b[Yy]eme[kğ]", r"[Gg]el-al", r"yürüt", r"onda bir", r"^Verildi$", r"Yeniden satışta", r"Geciktir",
           r"[Yy]eniden: ", r"^Her (zaman|etiket)$", r"Motor ve depolama", r"[İi]kinci adım", r"olmayan harf",
           r"[Kk]endiliğinden(?! kapandı)", r"Webhook (eklendi|değişti|silindi)", r"[Gg]arson(a|umuza) (sor|söyle|danış)", r"[Ee]kibimiz"),
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_thing_has_one_name_and_old_ones_do_not_come_back(language: str) -> None:
    # What the panel says, and what guests, couriers and others are told elsewhere.
    said = {
        (path.relative_to(PANEL.parent).as_posix(), key): text
        for folder in PANEL.parent.rglob(f"words/{language}*")
        for path in ([folder] if folder.is_file() else folder.rglob("*.json"))
        for key, text in msgspec.json.decode(path.read_bytes(), type=dict[str, str]).items()
    }
    assert len({name for name, _ in said}) > len(AREAS)
    found = [f"{where}: {text}" for where, text in said.items() for one in NOT_SAID[language] if re.search(one, text)]
    assert not found, "\n".join(found)


def test_until_a_time_has_the_ending_that_it_is_read_with() -> None:
    told = {
        "06:00": "06:00'ya", "23:30": "23:30'a", "yarın 12:45": "yarın 12:45'e", "00:00": "00:00'a", "20:00": "20:00'ye",
        "09:00": "09:00'a", "17:00": "17:00'ye", "08:52": "08:52'ye", "10:10": "10:10'a", "21:40": "21:40'a", "3 May": "3 May",
    }  # fmt: skip
    assert {time: until(time) for time in told} == told
