"""From what a person typed to a template, and back to the fields of the form."""

from __future__ import annotations

import re

from tablegram.errors import FieldError, Invalid, Problem, Refused
from tablegram.flows.gateway.answers.templates import TemplateView
from tablegram.messaging.templates import model
from tablegram.messaging.templates.checking import check
from tablegram.messaging.templates.components import PLACE, places, read
from tablegram.messaging.templates.model import ButtonKind, DraftFields, Header, TemplateButton, TemplateDraft
from tablegram.panel.frame.forms import Form
from tablegram.panel.visitor import Visitor

FORMATS = ("", *model.FORMATS)
BUTTONS = ("", *model.BUTTON_KINDS)
# So many rows for buttons there are at least, and at most.
ROWS, MOST_ROWS = 3, 10
STATUSES = {
    "APPROVED": "ok",
    "PENDING": "info",
    "IN_APPEAL": "info",
    "REJECTED": "bad",
    "PAUSED": "warn",
    "DISABLED": "bad",
}
QUALITIES = {"GREEN": "ok", "YELLOW": "warn", "RED": "bad"}
REASONS = (
    "ABUSIVE_CONTENT", "INCORRECT_CATEGORY", "INVALID_FORMAT", "SCAM", "TAG_CONTENT_MISMATCH", "PROMOTIONAL",
)  # fmt: skip
_FIELDS = {"header.text": "header_text", "header.example": "header_example", "header.media_id": "picture"}
_NUMBERED = re.compile(r"(examples|buttons)\[(\d+)\](?:\.(\w+))?")
_SAID = re.compile(r"says: (.+)$")


def typed(form: Form) -> DraftFields:
    """All but the file, which is looked at when it is sent."""
    header = None
    if (kind := next((one for one in model.FORMATS if one == form.text("header_format")), None)) is not None:
        words = {"text": form.text("header_text"), "example": form.text("header_example")} if kind == "text" else {}
        header = Header(format=kind, **words)
    return {
        "category": form.text("category"),
        "text": form.text("text").replace("\r\n", "\n"),
        "examples": tuple(line.strip() for line in form.text("examples").splitlines() if line.strip()),
        "header": header,
        "footer": form.text("footer"),
        "buttons": tuple(_button(form, row) for row in _rows(form)),
    }


def draft_of(form: Form, name: str = "", language: str = "") -> TemplateDraft:
    return TemplateDraft(name=name or form.text("name"), language=language or form.text("language"), **typed(form))


def read_view(view: TemplateView) -> TemplateDraft:
    return read(view.name, view.language, view.category, view.components)


def button_rows(draft: TemplateDraft | None) -> list[TemplateButton | None]:
    """A row of the form for each button, and some that are empty."""
    made: list[TemplateButton | None] = list(draft.buttons) if draft else []
    return made + [None] * (max(ROWS, min(len(made) + 1, MOST_ROWS)) - len(made))


def shown(visitor: Visitor, draft: TemplateDraft) -> dict[str, object]:
    """What a phone shows, with the examples in their places; and what is still wrong with it."""
    named = dict(zip(places(draft.text), draft.examples, strict=False))
    header = draft.header
    above = ""
    if header is not None and header.format == "text":
        above = PLACE.sub(lambda found: header.example or found[0], header.text)
    wrong = ""
    if draft.text.strip():
        try:
            check(draft)
        except Invalid as problem:
            ours = [one for one in problem.errors if one.field not in ("name", "language", "header.media_id")]
            wrong = told(visitor, Invalid.fields(ours[:1])).errors[0].detail if ours else ""
    return {
        "header": above,
        "media": header.format if header is not None and header.format != "text" else "",
        "text": PLACE.sub(lambda found: named.get(found[1], found[0]), draft.text),
        "footer": draft.footer,
        "buttons": [
            one.text or (visitor.t("templates.copy_code") if one.type == "copy_code" else "…") for one in draft.buttons
        ],
        "wrong": wrong,
    }


def told(visitor: Visitor, problem: Problem, form: Form | None = None) -> Problem:
    """The same problem with the names of the form's fields, in the visitor's words."""
    if isinstance(problem, Refused):
        said = _SAID.search(problem.detail)
        key = f"templates.wrong_{problem.code}"
        known = visitor.t(key) if problem.code in _REFUSALS else visitor.t("templates.refused")
        return Refused(f"{known} {said[1]}" if said else known, code="as_told")
    if not problem.errors:
        return problem
    rows = _rows(form) if form is not None else []
    return Invalid.fields([_field(visitor, one, rows) for one in problem.errors])


def _field(visitor: Visitor, error: FieldError, rows: list[int]) -> FieldError:
    name = _FIELDS.get(error.field, error.field)
    if error.field == "buttons":
        name = f"button_{rows[0] if rows else 0}_type"
    elif found := _NUMBERED.fullmatch(error.field):
        number = int(found[2])
        name = (
            "examples"
            if found[1] == "examples"
            else f"button_{rows[number] if number < len(rows) else number}_{found[3]}"
        )
    words = visitor.t(f"templates.wrong_{error.code}") if error.code in _WRONG else error.detail
    return FieldError(name, "as_told", words)


def _rows(form: Form) -> list[int]:
    """The numbers of the rows that hold a button."""
    return [row for row in range(MOST_ROWS) if _kind(form, row) is not None]


def _kind(form: Form, row: int) -> ButtonKind | None:
    return next((one for one in model.BUTTON_KINDS if one == form.text(f"button_{row}_type")), None)


def _button(form: Form, row: int) -> TemplateButton:
    kind, target = _kind(form, row) or "quick_reply", form.text(f"button_{row}_url")
    return TemplateButton(
        type=kind,
        text=form.text(f"button_{row}_text"),
        url=target if kind == "url" else "",
        phone=target.replace(" ", "") if kind == "phone" else "",
        example=form.text(f"button_{row}_example"),
    )


_REFUSALS = ("template_exists", "template_name_resting", "template_format_refused", "templates_too_many")
_WRONG = (
    "blank", "control_character", "media_unknown", "template_button_invalid", "template_button_twice",
    "template_buttons_mixed", "template_buttons_too_many", "template_category_invalid", "template_example_invalid",
    "template_examples_mismatch", "template_language_invalid", "template_name_invalid", "template_sample_missing",
    "template_text_too_long", "template_unavailable", "template_variable_at_edge", "template_variable_invalid",
    "template_variables_gap", "template_variables_too_many", "template_variables_touch",
)  # fmt: skip
