"""The page as HTML: an empty sheet that holds nobody's data, and refusals in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from markupsafe import Markup

from tablegram.courier_page import assets
from tablegram.courier_page.words import LANGUAGES, words
from tablegram.delivery.couriers.model import Courier
from tablegram.errors import Problem
from tablegram.values.http import languages
from tablegram.web.assets import tag_of
from tablegram.web.plain.exchange import Answer, Asked
from tablegram.web.plain.problems import headers_of
from tablegram.web.plain.templates import late_templates

_pages = late_templates(Path(__file__).parent / "templates", known=lambda: {"asset": assets.address})
_encode = msgspec.json.Encoder(order="deterministic").encode


def sheet(courier: Courier, key: str) -> Answer:
    """What the script fills, once the phone has shown the PIN. A phone may keep it: it says nothing of anybody."""
    spoken = words(courier.language)
    data = Markup(_encode(spoken).decode().replace("<", "\\u003c"))
    html = _draw("page.html", courier.language, base=f"{assets.BASE}/{key}", mark=courier.id, data=data)
    return _answer(html, courier.language)


def problem_page(asked: Asked, problem: Problem) -> Answer:
    language = languages.choose_language(None, asked.headers.get("accept-language", ""), list(LANGUAGES), "en")
    spoken = words(language)
    html = _draw(
        "problem.html", language, heading=spoken["problem"],
        text=spoken.get(f"problem.{problem.code}", problem.detail),
    )  # fmt: skip
    return _answer(html, language, problem)


def manifest(courier: Courier, key: str) -> Answer:
    """What a phone needs to keep the page like an app."""
    spoken, start = words(courier.language), f"{assets.BASE}/{key}"
    document = {
        "id": start,
        "name": spoken["title"],
        "short_name": spoken["title"],
        "lang": courier.language,
        "start_url": start,
        "scope": start,
        "display": "standalone",
        "background_color": "#fbfaf7",
        "theme_color": "#fbfaf7",
        "icons": [
            {"src": assets.address("icon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any maskable"}
        ],
    }
    return Answer(_encode(document), "application/manifest+json")


def _draw(name: str, language: str, **values: Any) -> str:
    spoken = words(language)
    return _pages().get_template(name).render(language=language, t=spoken.__getitem__, **values)


def _answer(html: str, language: str, problem: Problem | None = None) -> Answer:
    body, fields = html.encode(), {"Content-Language": language}
    if problem is None:
        return Answer(body, "text/html; charset=utf-8", keep="private, no-cache", tag=tag_of(body), headers=fields)
    return Answer(body, "text/html; charset=utf-8", status=problem.status, headers={**fields, **headers_of(problem)})
