"""The pages are true: their commands run, their samples parse, their links lead somewhere."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tablegram.settings import PREFIX, Settings
from tests.databases import Databases
from tests.docs.pages import PAGES, ROOT, Block, anchors, blocks, links, make_targets, named_make_targets
from tools.write_settings_page import PAGE, render

if TYPE_CHECKING:
    from tests.product import Product

pytestmark = pytest.mark.once

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
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, **product.environment, KEY_VARIABLE: product.key, "PATH": path}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        # Files that a page makes are left there.
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, f"{block.name} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("block", blocks("bash"), ids=by_name)
def test_a_command_that_is_not_run_says_why(block: Block) -> None:
    assert block.reason_not_run != "", f"{block.name}: write the reason after 'not run:'"


def test_json_samples_can_be_read() -> None:
    for block in blocks("json"):
        try:
            json.loads(block.text)
        except ValueError as error:
            pytest.fail(f"{block.name}: {error}")


def test_python_samples_can_be_read() -> None:
    for block in blocks("python"):
        ast.parse(block.text, filename=block.name)


@pytest.mark.parametrize("page", PAGES, ids=by_name)
def test_blocks_say_a_language_that_is_tested(page: Path) -> None:
    unknown = [
        f"{block.name} ({block.language or 'none'})"
        for block in blocks()
        if block.page == page and block.language not in LANGUAGES
    ]
    assert unknown == []


@pytest.mark.parametrize("page", PAGES, ids=by_name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    broken = []
    for link in links(page):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, fragment = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (fragment and fragment not in anchors(target)):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=by_name)
def test_make_targets_on_a_page_exist(page: Path) -> None:
    assert named_make_targets(page) - make_targets() == set()


@pytest.mark.parametrize("page", PAGES, ids=by_name)
def test_settings_on_a_page_exist(page: Path) -> None:
    known = {PREFIX + item.name.upper() for item in fields(Settings)} | {KEY_VARIABLE}
    named = set(re.findall(rf"\b{PREFIX}[A-Z_]*[A-Z]\b", page.read_text(encoding="utf-8")))
    assert named - known == set()


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
