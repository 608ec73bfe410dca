"""Where visitors of the phone page sit, and what a line may send them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page

ANNA, TOM = "905551112233", "447700900123"
ASK = {
    "type": "button",
    "header": {"type": "text", "text": "Your order"},
    "body": {"text": "Is it right?"},
    "action": {"buttons": [{"type": "reply", "reply": {"id": "yes", "title": "Confirm"}}]},
}
MENU = {
    "type": "list",
    "body": {"text": "What would you like?"},
    "action": {
        "button": "See the menu",
        "sections": [{"title": "Soups", "rows": [{"id": "r1", "title": "Lentil soup", "description": "With lemon"}]}],
    },
}


@dataclass
class Hall:
    """Where visitors sit. The first of each test has the seat that stays; its network, and what it keeps, are another test's."""

    browser: Browser
    troubles: list[str] = field(default_factory=list)
    seat: Page | None = None

    def sit(self, width: int = 1440, locale: str = "en-GB", scheme: Any = "light") -> Page:
        context = self.browser.new_context(
            viewport={"width": width, "height": 900}, locale=locale, color_scheme=scheme, reduced_motion="reduce"
        )
        page = context.new_page()
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", self._hear)
        return page

    def _hear(self, entry: ConsoleMessage) -> None:
        # A refusal is an answer like others, though browsers write it into the console.
        if entry.type == "error" and "422" not in entry.text:
            self.troubles.append(entry.text)


def handset(page: Page, name: str) -> Any:
    return page.get_by_role("article", name=f"Phone of {name}")
