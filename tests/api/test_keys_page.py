"""What the page about keys says is what the API asks for."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from tablegram.accounts.scopes import ALL, OPERATE, SCOPES, Grantable
from tablegram.api.framework import route_table
from tests.api.document import document
from tests.opened_product import HANDLERS

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "keys.md").read_text(encoding="utf-8")


def test_every_scope_is_on_the_page_and_those_in_use_are_not_called_kept() -> None:
    shown = dict(re.findall(r"^\| `(\w+:\w+)` \| (.+) \|$", PAGE, re.MULTILINE))
    assert set(shown) == SCOPES
    used = {route.scope for route in route_table(HANDLERS, {}).routes} - {"", OPERATE}
    assert used <= SCOPES
    assert {scope for scope, words in shown.items() if words.startswith("kept for")} == SCOPES - used


@pytest.mark.slow
def test_a_key_can_be_given_each_scope_and_all_of_them() -> None:
    assert set(get_args(Grantable)) == SCOPES | {ALL}
    schema = document()["components"]["schemas"]["CreateKey"]["properties"]["scopes"]
    assert set(schema["items"]["enum"]) == SCOPES | {ALL}


def test_the_operators_scope_is_told_and_belongs_to_no_account() -> None:
    assert f"`{OPERATE}`" in PAGE
    assert OPERATE not in SCOPES | set(get_args(Grantable))


def test_what_is_closed_to_test_keys_is_said_where_it_is_described() -> None:
    routes = route_table(HANDLERS, {})
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            if method == "parameters":
                continue
            route = routes.template(method.upper(), path.removeprefix("/api/v1"))
            assert ("Closed to test keys" in operation["description"]) == (not route.test_keys), (method, path)
