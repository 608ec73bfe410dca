"""The page as HTML, and refusals in words. Nothing of it is kept by browsers."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path
from typing import Any

from msgspec.structs import asdict

from tablegram.data_page import assets
from tablegram.data_page.words import LANGUAGES, words
from tablegram.errors import Problem
from tablegram.flows.contacts.consents.data_rights import Shown
from tablegram.values.figures.writing import moment
from tablegram.values.http import languages
from tablegram.web.plain.exchange import Answer, Asked
from tablegram.web.plain.problems import headers_of
from tablegram.web.plain.templates import late_templates

_pages = late_templates(Path(__file__).parent / "templates", known=lambda: {"asset": assets.address})


def page(asked: Asked, shown: Shown, key: str) -> Answer:
    wish = asked.query.get("lang", "")
    language = wish if wish in LANGUAGES else shown.link.language
    until = f"{moment(language, shown.link.expires_at, UTC, with_year=True)} UTC"
    other = "en" if language == "tr" else "tr"
    counts = asdict(shown.receipt.counts) if shown.receipt else {}
    html = _draw(
        "page.html", language, shown=shown, counts=counts, base=f"{assets.BASE}/{key}", until=until, other=other
    )
    return Answer(html.encode(), "text/html; charset=utf-8", headers={"Content-Language": language})


def problem_page(asked: Asked, problem: Problem) -> Answer:
    language = languages.choose_language(None, asked.headers.get("accept-language", ""), list(LANGUAGES), "en")
    spoken = words(language)
    text = spoken.get(f"problem.{problem.code}", problem.detail)
    html = _draw("problem.html", language, heading=spoken["problem"], text=text)
    fields = {"Content-Language": language, **headers_of(problem)}
    return Answer(html.encode(), "text/html; charset=utf-8", status=problem.status, headers=fields)


def _draw(name: str, language: str, **values: Any) -> str:
    spoken = words(language)
    return (
        _pages()
        .get_template(name)
        .render(
            language=language,
            t=spoken.__getitem__,
            # What an added part has erased may have no name here.
            called=lambda kind: spoken.get(f"count.{kind}", kind),
            **values,
        )
    )
