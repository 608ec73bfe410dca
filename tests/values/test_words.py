"""What people read: every area's sentences in both languages, with the same places to fill, and all of them in one way."""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache
from pathlib import Path
from string import Formatter

import msgspec
import pytest

import tablegram
from tablegram.values.words import LANGUAGES, Words

SOURCE = Path(tablegram.__file__).parent
FORMS = (".one", ".other")


def catalogues() -> list[str]:
    found = {path.parent for path in SOURCE.rglob("words/en.json")} | {path.parent for path in SOURCE.rglob("words/en")}
    return sorted(path.relative_to(SOURCE).as_posix() for path in found)


@cache
def files_of(catalogue: str, language: str) -> dict[str, dict[str, str]]:
    """What each file of a language says, by its place among them."""
    folder = SOURCE / catalogue
    one = folder / f"{language}.json"
    paths = [one] if one.is_file() else sorted((folder / language).rglob("*.json"))
    named = {"" if path == one else path.relative_to(folder / language).as_posix(): path for path in paths}
    return {name: msgspec.json.decode(path.read_bytes(), type=dict[str, str]) for name, path in named.items()}


def places(text: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(text) if field is not None}


def test_every_area_is_found() -> None:
    assert len(catalogues()) > 20
    assert {"panel/words", "menu_page/words", "restaurant/texts/words"} <= set(catalogues())


@pytest.mark.parametrize("catalogue", catalogues())
def test_an_area_says_the_same_things_in_both_languages_each_once(catalogue: str) -> None:
    english, turkish = (files_of(catalogue, language) for language in LANGUAGES)
    assert list(english) == list(turkish)
    for name, texts in english.items():
        assert list(texts) == list(turkish[name]), name
        for key, text in texts.items():
            assert text.strip(), key
            assert turkish[name][key].strip(), key
            assert places(text) == places(turkish[name][key]), key
    counts = Counter(key for texts in english.values() for key in texts)
    assert [key for key, count in counts.items() if count > 1] == []
    for key in counts:
        if key.endswith(FORMS):
            stem = key.rpartition(".")[0]
            assert all(stem + form in counts for form in FORMS), key
            assert stem not in counts, key


@pytest.mark.parametrize("catalogue", catalogues())
def test_a_further_language_says_nothing_else_and_english_where_it_says_nothing(catalogue: str) -> None:
    said = Words(str(SOURCE / catalogue))
    english = said.of("en")
    for language in said.languages:
        assert said.of(language).keys() == english.keys()
        for texts in files_of(catalogue, language).values():
            assert all(places(text) == places(english[key]) for key, text in texts.items())


# Where a table in both languages is no catalogue, and why.
ELSEWHERE = {
    "printagent/slips.py": "the print agent is a program of its own",
    "values/words.py": "how languages call themselves",
    "crm/own_data/asking.py": "what guests write",
    "demo/": "made-up people of two countries",
}


def tables_of_words(tree: ast.AST) -> list[int]:
    """Where something is written in both languages: `{"en": "…", "tr": "…"}`, or a table of each."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            keys = {key.value for key in node.keys if isinstance(key, ast.Constant)}
            said = [
                value for value in node.values if isinstance(value, ast.Constant | ast.Dict | ast.Tuple | ast.JoinedStr)
            ]
            if set(LANGUAGES) <= keys and said:
                found.append(node.lineno)
    return found


@pytest.mark.slow
def test_no_module_has_words_in_two_languages_of_its_own() -> None:
    found = {
        f"{path.relative_to(SOURCE)}:{line}"
        for path in sorted(SOURCE.rglob("*.py"))
        # To parse all of them takes as long as a hundred tests.
        if all(f'"{language}"' in (text := path.read_text()) for language in LANGUAGES)
        for line in tables_of_words(ast.parse(text))
    }
    strange = sorted(one for one in found if not one.startswith(tuple(ELSEWHERE)))
    assert not strange, f"put them into files of words beside the module, and say them with values/words.py: {strange}"
    # What has moved into a catalogue is excused no longer.
    assert [excused for excused in ELSEWHERE if not any(one.startswith(excused) for one in found)] == []


def test_the_form_is_the_numbers_and_the_number_is_written_as_the_language_does(tmp_path: Path) -> None:
    folder = tmp_path / "words"
    folder.mkdir()
    (folder / "en.json").write_text(
        '{"seats.one": "{n} seat", "seats.other": "{n} seats", "full": "Full: {n}, {name}"}'
    )
    (folder / "tr.json").write_text('{"seats.one": "{n} yer", "seats.other": "{n} yer", "full": "Dolu: {n}, {name}"}')
    forms = {"one": "место", "few": "места", "many": "мест"}
    (folder / "ru.json").write_bytes(
        msgspec.json.encode({f"seats.{form}": f"{{n}} {text}" for form, text in forms.items()})
    )
    said = Words(str(tmp_path / "module.py"))
    assert [said.say("en", "seats", n=n) for n in (1, 2, 1_200)] == ["1 seat", "2 seats", "1,200 seats"]
    assert said.say("tr-TR", "seats", n=1_200) == "1.200 yer"
    assert [said.say("ru", "seats", n=n) for n in (1, 3, 5)] == ["1 место", "3 места", "5 мест"]
    assert said.say("ru", "full", n=1, name="{x}") == "Full: 1, {x}"
    assert said.of("de") is said.of("en")
    assert said.spoken("TR-tr") == "tr"
