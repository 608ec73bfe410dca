"""The pages are true: their commands run, their samples parse, their links lead somewhere."""

from __future__ import annotations

import ast
import html
import json
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright._impl._driver import compute_driver_executable

from tablegram.linehost.words import SOCKET_NAME
from tablegram.printagent.options import VARIABLES as PRINT_AGENT
from tablegram.settings import PREFIX, Settings
from tests.databases import Databases
from tests.docs.pages import PAGES, ROOT, Block, anchors, blocks, links, make_targets, named_make_targets, prose
from tests.nursery import HOUSE
from tools.write_settings_page import PAGE, render

if TYPE_CHECKING:
    from tests.product import Product

pytestmark = [pytest.mark.once, pytest.mark.timeout(300)]

# For a command that never ends. One that is run alone loads the program, which takes seconds, and a minute where many others run.
WITHIN_S = 240

# The pages show the address of a first start; the tests put the running product's there.
SHOWN_ADDRESS = "http://127.0.0.1:8000"
KEY_VARIABLE = "TABLEGRAM_KEY"

# A command under another name would escape being run.
LANGUAGES = {"bash", "json", "python", "text"}


def by_name(item: Block | Path) -> str:
    return item.name if isinstance(item, Block) else str(item.relative_to(ROOT))


@pytest.fixture(scope="module")
def product(databases: Databases) -> Iterator[Product]:
    from tests.product import running_product

    url = databases.migrated()
    with running_product(database_url=url) as running:
        yield running
    databases.drop(url)


def commands() -> list[object]:
    """Every command, the ones left out marked with their reason, which the end of a run lists."""
    return [
        pytest.param(block, id=block.name, marks=[pytest.mark.skip(reason=f"not run: {block.reason_not_run}")])
        if block.reason_not_run
        else pytest.param(block, id=block.name)
        for block in blocks("bash")
    ]


@pytest.mark.parametrize("block", commands())
def test_commands_do_what_the_page_says(block: Block, product: Product, tmp_path: Path) -> None:
    script = block.text.replace(SHOWN_ADDRESS, product.url)
    # The pages say `tablegram` for the program that stands beside the interpreter.
    path = f"{stand_in(block, tmp_path)}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, **product.environment, KEY_VARIABLE: product.key, "PATH": path}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        # Files that a page makes are left there.
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        check=False,
    )
    assert done.returncode == 0, f"{block.name} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"


def stand_in(block: Block, folder: Path) -> str:
    """Where the commands of a page are found first: nowhere in a run without a house, and on the page about commands."""
    if HOUSE not in os.environ or block.page.name == "commands.md":
        return ""
    program = folder / ".programs" / "tablegram"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -IS {Path(__file__).parent / "stand_in.py"} "$@"\n')
    program.chmod(0o755)
    return f"{program.parent}{os.pathsep}"


def test_pages_that_change_the_demo_say_how_to_leave_it_as_it_was(product: Product, tmp_path: Path) -> None:
    def facts() -> Any:
        contacts = product.call("GET", "/contacts?limit=200")[1]["data"]
        venues = product.call("GET", "/restaurant/venues")[1]["data"]
        replies = product.call("GET", "/instances/1/auto-replies")[1]["data"]
        added = [one["name"] for one in contacts if one["name"] in ("Işıl Çağlar", "Can Er")]
        return added, {(one["name"], one["is_default"]) for one in venues}, len(replies)

    # As a newcomer does it: from the first command of the page to its last.
    for name in ("contacts.md", "run-a-restaurant.md"):
        before = facts()
        for block in blocks("bash"):
            if block.page.name == name and block.reason_not_run is None:
                test_commands_do_what_the_page_says(block, product, tmp_path)
        assert facts() == before, name


def test_the_samples_of_the_api_docs_do_what_they_say_when_they_are_pasted(product: Product, tmp_path: Path) -> None:
    def page(area: str) -> str:
        with urllib.request.urlopen(f"{product.url}/api/v1/docs/{area}", timeout=30) as answer:
            return str(answer.read().decode())

    def sample(text: str, call: str, language: str) -> str:
        found = re.search(rf'id="{call}-{language}".*?<code>(.*?)</code>', text, re.DOTALL)
        assert found, call
        return html.unescape(found[1])

    environment = {**os.environ, KEY_VARIABLE: product.key}
    sending = page("sending")
    programs = {
        "curl": ["bash", "-c"],
        "python": [sys.executable, "-c"],
        # Chromium's driver brings its own.
        "javascript": [str(compute_driver_executable()[0]), "--input-type=module", "-e"],
    }
    for language, program in programs.items():
        command = [*program, sample(sending, "sendText", language)]
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, timeout=WITHIN_S, check=True)
        assert list(json.loads(done.stdout)) == ["status", "message_id", "status_code", "cost_usd"], language
    # Of what only looks and needs nothing to be known, all of it.
    looks = [
        sample(text, call, "curl")
        for area in ("messages", "lines", "webhooks", "contacts", "orders", "account", "keys")
        for text in [page(area)]
        for call in re.findall(r'<details class="call" id="(list\w+|getAccount|getUsage)"', text)
    ]
    simple = [code for code in looks if not re.search(r"/[A-Z_]+['/?]", code)]
    assert len(simple) > 5
    script = "\n".join(code.replace("curl -sS", "curl -sS --fail-with-body", 1) for code in simple)
    subprocess.run(["bash", "-euc", script], env=environment, capture_output=True, timeout=WITHIN_S, check=True)


def test_a_command_that_is_not_run_says_why() -> None:
    silent = [block.name for block in blocks("bash") if block.reason_not_run == ""]
    assert silent == [], "write the reason after 'not run:'"


def test_json_samples_can_be_read() -> None:
    for block in blocks("json"):
        try:
            json.loads(block.text)
        except ValueError as error:
            pytest.fail(f"{block.name}: {error}")


def test_python_samples_can_be_read() -> None:
    for block in blocks("python"):
        ast.parse(block.text, filename=block.name)


def test_blocks_say_a_language_that_is_tested() -> None:
    unknown = [f"{block.name} ({block.language or 'none'})" for block in blocks() if block.language not in LANGUAGES]
    assert unknown == []


def test_links_between_pages_lead_somewhere() -> None:
    broken = []
    for page, link in [(one, link) for one in PAGES for link in links(one)]:
        if re.match(r"[a-z]+:", link):
            continue
        path, _, fragment = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (fragment and fragment not in anchors(target)):
            broken.append(f"{page.relative_to(ROOT)}: {link}")
    assert broken == []


def test_the_pages_call_the_program_by_its_name() -> None:
    """How it comes onto the path is said in one place; a service names the whole path."""
    calls = [
        f"{page.relative_to(ROOT)}: {line}"
        for page in PAGES
        for line in page.read_text(encoding="utf-8").splitlines()
        if ".venv/bin/tablegram" in line and not line.startswith("ExecStart=")
    ]
    assert calls == []
    assert "\n. .venv/bin/activate\n" in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")


# Where a page says what the API calls a line.
NAMES_AN_INSTANCE = {"docs/reference/glossary.md", "docs/how-to/connect-a-whatsapp-number.md"}


def test_the_pages_say_line_for_what_the_api_calls_an_instance() -> None:
    readers = [page for page in PAGES if page.name == "README.md" or page.is_relative_to(ROOT / "docs")]
    told = {by_name(page): page for page in readers if not page.is_relative_to(ROOT / "docs" / "decisions")}
    assert told.keys() > NAMES_AN_INSTANCE
    # What stands as code, and the kind of an event in its heading, is the API's own name.
    said = {name: re.sub(r"`[^`]*`|\binstance\.status\b", "", prose(page)) for name, page in told.items()}
    found = {name for name, text in said.items() if re.search(r"\binstances?\b", text, re.IGNORECASE)}
    assert found - NAMES_AN_INSTANCE == set()


def test_make_targets_on_a_page_exist() -> None:
    known = make_targets()
    missing = [f"{page.relative_to(ROOT)}: make {name}" for page in PAGES for name in named_make_targets(page) - known]
    assert missing == []


def test_settings_on_a_page_exist() -> None:
    # Beside the settings: where samples keep a key, and what a line's host and the print agent are started with.
    started = {SOCKET_NAME, *PRINT_AGENT}
    known = {PREFIX + item.name.upper() for item in fields(Settings)} | {KEY_VARIABLE, *started}
    setting = re.compile(rf"\b{PREFIX}[A-Z_]*[A-Z]\b")
    unknown = [
        f"{page.relative_to(ROOT)}: {name}"
        for page in PAGES
        for name in set(setting.findall(page.read_text(encoding="utf-8"))) - known
    ]
    assert unknown == []


def test_every_command_is_documented() -> None:
    import click

    from tablegram.cli.catalogue import PLACES, load

    page = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| `tablegram ([a-z -]+)` \| (.+) \|$", page, re.MULTILINE))
    real: dict[str, str] = {}
    for name, place in PLACES.items():
        command = load(name)
        below = command.commands.items() if isinstance(command, click.Group) else ()
        real |= {f"{name} {one}": found.get_short_help_str(200) for one, found in below} or {name: place.summary}
    assert told == real


def test_what_can_be_done_with_an_order_is_documented_as_it_is() -> None:
    from tablegram.restaurant.menu.importing.cells import HEADINGS
    from tablegram.restaurant.orders.states import CLOSED, STATES, TABLE

    page = (ROOT / "docs" / "reference" / "menus-and-orders.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([a-z_]+)` \| (`[a-z_]+` → .+) \|$", page, re.MULTILINE))
    assert set(rows) == set(STATES) - CLOSED
    for state, cell in rows.items():
        for action, to in re.findall(r"`([a-z_]+)` → ([a-z_]+)", cell):
            assert TABLE[state, action] in (to, "gate"), (state, action)
        left_out = {event for (one, event), to in TABLE.items() if one == state and to not in (".", "=", state)}
        assert left_out - set(re.findall(r"`([a-z_]+)`", cell)) <= {
            "expire",
            "pay",
            "pay_in_person",
            "set_back",
            "write_off",
            "undeliver",
            "pay_gift",
        }, state
    assert set(HEADINGS) <= set(re.findall(r"`([a-z_]+)`", page.split("## What can be done")[0]))


def test_every_scope_of_a_call_is_documented() -> None:
    from tablegram.api.framework import route_table
    from tests.opened_product import HANDLERS

    page = (ROOT / "docs" / "reference" / "keys.md").read_text(encoding="utf-8")
    used = {route.scope for route in route_table(HANDLERS, {}).routes if route.scope}
    assert used - set(re.findall(r"`([a-z]+:[a-z]+)`", page)) == set()
    # What a row says is held against the addresses that need the scope.
    rows = dict(re.findall(r"^\| `([a-z]+:[a-z]+)` \| (.+) \|$", page, re.MULTILINE))
    for route in route_table(HANDLERS, {}).routes:
        for part, word in (
            ("/team", "team"),
            ("/audit", "audit log"),
            ("/requests", "log of API calls"),
            ("/keys", "keys"),
        ):
            if route.template.startswith(part):
                assert word in rows[route.scope], f"{route.method} {route.template} needs {route.scope}"


def test_every_setting_is_documented_as_it_is() -> None:
    assert PAGE.read_text(encoding="utf-8") == render(), "run: make docs"


def test_every_page_is_on_the_map() -> None:
    reached, waiting = set(), [ROOT / "docs" / "index.md"]
    while waiting:
        page = waiting.pop()
        if page in reached or page.suffix != ".md" or not page.exists():
            continue
        reached.add(page)
        waiting += [(page.parent / link.partition("#")[0]).resolve() for link in links(page) if ":" not in link]
    assert {by_name(page) for page in PAGES if page.is_relative_to(ROOT / "docs")} - {
        by_name(page) for page in reached
    } == set()
