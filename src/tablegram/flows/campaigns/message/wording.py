"""One campaign's message for one person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from tablegram.campaigns import filling
from tablegram.campaigns.model import Plan, Version
from tablegram.messaging.model import Button, Buttons, Content, Media, Template, Text
from tablegram.values.texts.variables import fill

# Lines whose messages may have buttons, and how long such a message may be.
HAS_BUTTONS = frozenset({"cloud", "sandbox"})
MAX_WITH_BUTTONS = 1_024


@dataclass(frozen=True, slots=True)
class Wording:
    """`links` are the addresses of the texts in their order; `base` is what short ones begin with. `picture`: the one of our
    own store, where there is one."""

    plan: Plan
    line_kind: str
    base: str = ""
    links: list[str] = field(default_factory=list)
    picture: Media | None = None

    def text(self, arm: int, known: Mapping[str, str], code: str = "") -> str:
        """The words of one of the texts for whom this is known of, with the way out."""
        plan = self.plan
        words = self._shortened(plan.texts[arm] if arm < len(plan.texts) else "", code)
        return filling.with_way_out(fill(words, known), plan.language)

    def content(self, arm: int, known: Mapping[str, str], code: str = "") -> Content:
        plan = self.plan
        if plan.kind == "template":
            return self._template(plan.versions[arm], known, code)
        text = self.text(arm, known, code)
        if plan.kind == "media" and self.picture is not None:
            return msgspec.structs.replace(self.picture, caption=text)
        # A picture that is gone keeps nobody from the words.
        if plan.kind == "media" and (plan.media_url or not plan.image_id):
            return Media(plan.media_kind, plan.media_url, True, caption=text)
        if self.line_kind in HAS_BUTTONS and len(text) <= MAX_WITH_BUTTONS:
            return Buttons(text, [Button(filling.STOP, filling.WORDS.of(plan.language)["stop_button"])])
        return Text(text)

    def _shortened(self, words: str, code: str) -> str:
        return filling.shorten(words, lambda link: self._short(link, code)) if code and self.base else words

    def _short(self, link: str, code: str) -> str | None:
        return f"{self.base}/l/{code}{self.links.index(link) + 1}" if link in self.links else None

    def values(self, arm: int, known: Mapping[str, str], code: str = "") -> list[str]:
        """What one of the templates is filled in with; nothing where there are none."""
        return self._filled(self.plan.versions[arm], known, code) if self.plan.versions else []

    def _filled(self, version: Version, known: Mapping[str, str], code: str) -> list[str]:
        """The network refuses an empty parameter, and one with several lines."""
        texts = [self._shortened(text, code) for text in version.template_variables]
        return [" ".join(fill(text, known).split()) or "-" for text in texts]

    def _template(self, version: Version, known: Mapping[str, str], code: str) -> Template:
        given = [{"type": "text", "text": text} for text in self._filled(version, known, code)]
        parts: list[dict[str, object]] = [{"type": "body", "parameters": given}] if given else []
        if version.media_url:
            # What stands above its words, where it has a place for it.
            file = {"type": version.media_kind, version.media_kind: {"link": version.media_url}}
            parts.insert(0, {"type": "header", "parameters": [file]})
        if version.template_stop_button >= 0:
            payload = [{"type": "payload", "payload": filling.STOP}]
            place = {"type": "button", "sub_type": "quick_reply", "index": str(version.template_stop_button)}
            parts.append({**place, "parameters": payload})
        return Template(version.template_name, version.template_language, parts, "marketing")
