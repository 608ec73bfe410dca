"""How the site is made of the pages: in which order, with which links, and with nothing that the content policy refuses."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from tests.docs.pages import ROOT
from tools.docs_site.__main__ import named, toml
from tools.docs_site.closing import SCRIPTS, close_pages
from tools.docs_site.finding import tidy_search
from tools.docs_site.navigation import navigation
from tools.docs_site.staging import ROOT_PAGES, stage

BUNDLE = 'let o=n.attachShadow({mode:"open"});o.appendChild(C("style",{},Tc.toString()));try{}'


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "docs"
    stage(ROOT, folder)
    return folder


def test_the_navigation_has_every_page_once_in_the_order_of_the_four_kinds(docs: Path) -> None:
    order = navigation(docs)
    assert [next(iter(one)) for one in order if isinstance(one, dict)] == [
        "Start here", "Tutorial", "How-to", "Reference", "Explanation", "Decisions", "Project",
    ]  # fmt: skip
    pages = named(order)
    assert len(pages) == len(set(pages))
    assert set(pages) == {str(path.relative_to(docs)) for path in docs.rglob("*.md")}
    assert pages.index("reference/glossary.md") < pages.index("reference/settings.md")
    assert pages.index("decisions/README.md") + 1 == pages.index("decisions/0001-rows-are-the-queue.md")
    assert '"How-to" = [{"Lines and messages" = ["how-to/' in toml(order)


def test_links_of_all_pages_lead_to_something_in_the_site(docs: Path) -> None:
    broken = [
        f"{page.relative_to(docs)}: {link}"
        for page in docs.rglob("*.md")
        for link in re.findall(r"\]\(([^)\s#:]+)(?:#[^)\s]*)?\)", re.sub(r"(?ms)^ *```.*?^ *```", "", page.read_text()))
        if not (page.parent / link).is_file()
    ]
    assert broken == []
    assert all((docs / "project" / name.lower()).is_file() for name in ROOT_PAGES)


def test_what_belongs_to_a_step_stays_in_it_so_that_steps_are_counted_on(docs: Path) -> None:
    steps = (docs / "how-to" / "take-payments-with-stripe.md").read_text()
    assert "\n    | `charge.refunded` |" in steps
    assert "\n    ```bash\n    " in (docs / "how-to" / "run-the-print-agent.md").read_text()
    # The generator ends a list at anything else, and begins the next one with 1.
    loose = [
        page.name
        for page in docs.rglob("*.md")
        if re.search(r"(?m)^ {1,3}[|`]|^ {1,3}(?:-|\d+\.) ", re.sub(r"(?ms)^ *```.*?^ *```", "", page.read_text()))
    ]
    assert loose == []


def test_why_the_tests_leave_a_command_out_is_no_readers_business(docs: Path) -> None:
    assert "# not run:" in (ROOT / "docs" / "how-to" / "run-the-print-agent.md").read_text()
    assert [page.name for page in docs.rglob("*.md") if re.search(r"(?m)^ *# not run:", page.read_text())] == []


def test_a_page_keeps_no_script_and_no_style_of_its_own(tmp_path: Path) -> None:
    page = site(tmp_path, '<script>go("a")</script><td style="text-align: right;"><code>A_LONG_NAME</code></td>')
    close_pages(tmp_path)
    text = page.read_text()
    moved = re.search(r'<script src="\.\./(assets/javascripts/part\.\w{8}\.js)"></script>', text)
    assert moved
    assert (tmp_path / moved[1]).read_text() == 'go("a")'
    assert '<td class="right"><code>A_<wbr>LONG_<wbr>NAME</code></td>' in text
    (bundle,) = (tmp_path / SCRIPTS).glob("bundle.*")
    assert f"../assets/javascripts/{bundle.name}" in text
    assert bundle.name != "bundle.00000000.min.js"
    assert "o.adoptedStyleSheets=[s]" in bundle.read_text()


def test_a_decision_is_found_once_by_its_name(tmp_path: Path) -> None:
    places = [
        "decisions/0001-rows/",
        "decisions/0001-rows/#what-it-is-about",
        "decisions/#the-form",
        "how-to/go/#first",
    ]
    items = [
        {"location": place, "title": place, "text": f"text {at}", "path": ["Where", place]}
        for at, place in enumerate(places)
    ]
    (tmp_path / "search.json").write_bytes(msgspec.json.encode({"config": {}, "items": items}))
    tidy_search(tmp_path)
    found = msgspec.json.decode((tmp_path / "search.json").read_bytes())["items"]
    assert [len(one["path"]) for one in found] == [1, 2, 2]
    assert [(one["location"], one["text"]) for one in found] == [
        ("decisions/0001-rows/", "text 0 text 1"), ("decisions/#the-form", "text 2"), ("how-to/go/#first", "text 3"),
    ]  # fmt: skip


@pytest.mark.parametrize("left", ['<p style="color: red">', '<a onclick="go()">', "<style>p {}</style>"])
def test_what_would_not_work_when_it_is_served_ends_the_build(tmp_path: Path, left: str) -> None:
    site(tmp_path, left)
    with pytest.raises(ValueError, match="content policy"):
        close_pages(tmp_path)


def site(folder: Path, body: str) -> Path:
    (folder / SCRIPTS).mkdir(parents=True)
    (folder / SCRIPTS / "bundle.00000000.min.js").write_text(BUNDLE)
    page = folder / "how-to" / "index.html"
    page.parent.mkdir()
    page.write_text(f'<body>{body}<script src="../assets/javascripts/bundle.00000000.min.js"></script></body>')
    return page
