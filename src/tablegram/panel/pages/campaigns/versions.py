"""The templates that a campaign compares, as its editor has them: the fields of the second are called as those of the first,
with `.2` behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablegram.campaigns.fields import VersionFields
from tablegram.campaigns.model import MAX_TEXTS, MediaKind
from tablegram.errors import Invalid
from tablegram.flows.campaigns.answers import CampaignVersion
from tablegram.panel.frame.forms import Form
from tablegram.panel.pages.campaigns.network_texts import Shape

_ARRANGE = "arrange"
_MOST_VALUES = 20


@dataclass(frozen=True, slots=True)
class Shown:
    """One template in the editor: what it is made of, and what was kept for it."""

    number: int
    shape: Shape
    kept: CampaignVersion | None

    @property
    def tail(self) -> str:
        return tail(self.number)

    def value(self, place: int) -> str:
        values = [] if self.kept is None else self.kept.template_variables
        return values[place] if place < len(values) else ""


def tail(number: int) -> str:
    return "" if number == 1 else f".{number}"


def wanted_of(form: Form) -> list[str]:
    """The templates that a form names, each at its place; empty where none is chosen."""
    return [form.text(f"template{tail(number)}") for number in range(1, MAX_TEXTS + 1)]


def is_to_arrange(form: Form) -> bool:
    """Whether the page is drawn anew before anything is saved: a template was chosen whose places nobody has seen yet."""
    if form.text("kind") != "template":
        return False
    unseen = [
        key and key != form.text(f"shown{tail(number)}", "" if number > 1 else key)
        for number, key in enumerate(wanted_of(form), 1)
    ]
    return form.flag(_ARRANGE) or any(unseen)


def wanted_at_first(asked: str, kept: Sequence[CampaignVersion]) -> list[str]:
    """Those of the draft; the first may be chosen anew."""
    mine = [_key(one) for one in kept]
    return [asked, *mine[1:]] if asked else mine


def versions_shown(found: Sequence[Shape], wanted: Sequence[str], kept: Sequence[CampaignVersion]) -> list[Shown]:
    """Those that the line has; none while the first is still to be chosen."""
    by_key = {shape.key: shape for shape in found}
    if not wanted or wanted[0] not in by_key:
        return []
    return [
        Shown(number, by_key[key], _kept(kept, number, key)) for number, key in enumerate(wanted, 1) if key in by_key
    ]


def _kept(kept: Sequence[CampaignVersion], number: int, key: str) -> CampaignVersion | None:
    here = kept[number - 1] if number <= len(kept) else None
    return here if here is not None and _key(here) == key else None


def _key(one: CampaignVersion) -> str:
    return f"{one.template_name}/{one.template_language}"


def read_versions(form: Form) -> list[VersionFields]:
    """What the form says of each template that it names."""
    return [_read(form, key, tail(number)) for number, key in enumerate(wanted_of(form), 1) if key or number == 1]


def _read(form: Form, key: str, behind: str) -> VersionFields:
    name, _, language = key.partition("/")
    places = [f"value-{number}{behind}" for number in range(1, _MOST_VALUES + 1) if form.has(f"value-{number}{behind}")]
    values = [form.text(place)[:500] for place in places]
    if not all(values):
        field = places[values.index("")]
        raise Invalid.field(field, "campaign_value_missing", "Fill in every place of the template.")
    stop, above = form.text(f"template_stop_button{behind}"), form.text(f"media_kind{behind}")
    return {
        "template_name": name[:512],
        "template_language": language[:10] or "tr",
        "template_variables": values,
        "template_stop_button": int(stop) if stop.isascii() and stop.isdecimal() and len(stop) == 1 else -1,
        "media_kind": _kind(above),
        "media_url": _address(form, f"media_url{behind}") if above else "",
    }


def _kind(above: str) -> MediaKind:
    return "video" if above == "video" else "document" if above == "document" else "image"


def _address(form: Form, field: str) -> str:
    address = form.text(field)
    if not (address.startswith("https://") and address.isascii() and len(address.split()) == 1):
        raise Invalid.field(field, "image_url_invalid", "Give the address of the file, with https://.")
    return address[:2_000]
