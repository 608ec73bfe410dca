"""What the network surely refuses is told before it is asked, with the field and how to put it right."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablegram.errors import Invalid
from tablegram.messaging.templates.checking import check
from tablegram.messaging.templates.components import build, places, read, says_the_same
from tablegram.messaging.templates.model import Header, TemplateButton, TemplateDraft
from tests.cases import cases

GOOD = TemplateDraft(
    name="order_ready",
    language="tr",
    category="utility",
    text="Merhaba {{1}}, {{2}} hazır.",
    examples=("Ayşe", "ORD-1"),
    header=Header(text="Sipariş {{1}}", example="ORD-1"),
    footer="Tablegram Cafe",
    buttons=(
        TemplateButton(type="quick_reply", text="Geliyorum"),
        TemplateButton(type="url", text="İzle", url="https://shop.example/t/{{1}}", example="abc"),
        TemplateButton(type="phone", text="Ara", phone="+905551112233"),
        TemplateButton(type="copy_code", example="SUMMER25"),
    ),
)
REPLY = TemplateButton(type="quick_reply", text="Yes")
LINK = TemplateButton(type="url", text="Look", url="https://e.example/")


def link(**fields: Any) -> dict[str, Any]:
    return {"buttons": (msgspec.structs.replace(LINK, **fields),)}


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"name": "Order Ready"}, "name", "template_name_invalid"),
    ({"name": "sipariş"}, "name", "template_name_invalid"),
    ({"name": "order\n"}, "name", "template_name_invalid"),
    ({"name": "x" * 513}, "name", "template_name_invalid"),
    ({"name": ""}, "name", "template_name_invalid"),
    ({"language": "turkish"}, "language", "template_language_invalid"),
    ({"language": "tr-TR"}, "language", "template_language_invalid"),
    ({"category": "authentication"}, "category", "template_category_invalid"),
    ({"text": " \n "}, "text", "blank"),
    ({"text": "a" * 1_025, "examples": ()}, "text", "template_text_too_long"),
    ({"text": "Hi\x00.", "examples": ()}, "text", "control_character"),
    ({"text": "Hi\tthere.", "examples": ()}, "text", "control_character"),
    ({"text": "{{1}} is ready.", "examples": ("x",)}, "text", "template_variable_at_edge"),
    ({"text": " Hello {{1}} ", "examples": ("x",)}, "text", "template_variable_at_edge"),
    ({"text": "Hi {{1}} {{2}}.", "examples": ("x", "y")}, "text", "template_variables_touch"),
    ({"text": "Hi {{1}} and {{3}}.", "examples": ("x", "y")}, "text", "template_variables_gap"),
    ({"text": "Hi {{0}}.", "examples": ("x",)}, "text", "template_variables_gap"),
    ({"text": "Hi {{01}}.", "examples": ("x",)}, "text", "template_variables_gap"),
    ({"text": "Hi {{1}} and {{name}}.", "examples": ("x", "y")}, "text", "template_variable_invalid"),
    ({"text": "Hi {{Name}}.", "examples": ("x",)}, "text", "template_variable_invalid"),
    ({"text": "Hi {{1}.", "examples": ()}, "text", "template_variable_invalid"),
    ({"text": "Hi {{}}.", "examples": ()}, "text", "template_variable_invalid"),
    ({"text": "Hi {{ad soyad}}.", "examples": ()}, "text", "template_variable_invalid"),
    (
        {"text": "Hi" + "".join(f" {{{{{n}}}}} or" for n in range(1, 22)) + ".", "examples": ("x",) * 21},
        "text",
        "template_variables_too_many",
    ),
    ({"examples": ("Ayşe",)}, "examples", "template_examples_mismatch"),
    ({"text": "Hi.", "examples": ("Ayşe",)}, "examples", "template_examples_mismatch"),
    ({"examples": ("Ayşe", " ")}, "examples[1]", "template_example_invalid"),
    ({"examples": ("Ayşe", "a\nb")}, "examples[1]", "template_example_invalid"),
    ({"examples": ("{{1}}", "x")}, "examples[0]", "template_example_invalid"),
    ({"header": Header(text="")}, "header.text", "blank"),
    ({"header": Header(text="x" * 61)}, "header.text", "template_text_too_long"),
    ({"header": Header(text="a\nb")}, "header.text", "template_text_too_long"),
    ({"header": Header(text="{{1}} and {{2}}")}, "header.text", "template_variables_too_many"),
    ({"header": Header(text="{{2}}")}, "header.text", "template_variables_gap"),
    ({"header": Header(text="Order {{1}}")}, "header.example", "template_examples_mismatch"),
    ({"header": Header(text="Order", example="x")}, "header.example", "template_examples_mismatch"),
    ({"header": Header(format="image")}, "header.media_id", "template_sample_missing"),
    ({"footer": "x" * 61}, "footer", "template_text_too_long"),
    ({"footer": "Hi {{1}}"}, "footer", "template_variable_invalid"),
    ({"footer": "a\nb"}, "footer", "template_text_too_long"),
    ({"buttons": (REPLY, LINK, msgspec.structs.replace(REPLY, text="No"))}, "buttons", "template_buttons_mixed"),
    ({"buttons": (REPLY, REPLY)}, "buttons[1].text", "template_button_twice"),
    ({"buttons": (REPLY,) * 11}, "buttons", "template_buttons_too_many"),
    (
        {"buttons": tuple(msgspec.structs.replace(LINK, text=f"L{n}") for n in range(3))},
        "buttons",
        "template_buttons_too_many",
    ),
    ({"buttons": (TemplateButton(type="quick_reply"),)}, "buttons[0].text", "template_button_invalid"),
    (link(text="x" * 26), "buttons[0].text", "template_button_invalid"),
    (link(url="javascript:alert(1)"), "buttons[0].url", "template_button_invalid"),
    (link(url="https://{{1}}.example/", example="x"), "buttons[0].url", "template_button_invalid"),
    (link(url="https://e.example/{{1}}/x", example="x"), "buttons[0].url", "template_variable_invalid"),
    (link(url="https://e.example/{{1}}"), "buttons[0].example", "template_example_invalid"),
    (link(url="https://e.example/{{1}}", example="a b"), "buttons[0].example", "template_example_invalid"),
    (link(example="x"), "buttons[0].example", "template_example_invalid"),
    ({"buttons": (TemplateButton(type="phone", text="Call", phone="call me"),)}, "buttons[0].phone", "template_button_invalid"),
    ({"buttons": (TemplateButton(type="copy_code", example="a b"),)}, "buttons[0].example", "template_example_invalid"),
    ({"buttons": (TemplateButton(type="copy_code", example="A" * 16),)}, "buttons[0].example", "template_example_invalid"),
]  # fmt: skip


def test_what_is_wrong_is_named_with_its_field_and_the_fix() -> None:
    check(GOOD)
    with cases() as every:
        for changes, field, code in WRONG:
            with every.case(str(changes)[:80]):
                with pytest.raises(Invalid) as caught:
                    check(msgspec.structs.replace(GOOD, **changes))
                assert (field, code) in [(error.field, error.code) for error in caught.value.errors]
                assert all(error.detail.endswith(".") for error in caught.value.errors)


def test_everything_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(Invalid) as caught:
        check(msgspec.structs.replace(GOOD, name="A", footer="{{1}}", text="", buttons=(REPLY, REPLY)))
    assert [error.field for error in caught.value.errors] == ["name", "text", "footer", "buttons[1].text"]


def test_what_is_written_comes_back_from_the_networks_components() -> None:
    again = read(GOOD.name, GOOD.language, "UTILITY", build(GOOD))
    # The network is shown the whole address.
    shown = msgspec.structs.replace(GOOD.buttons[1], example="https://shop.example/t/abc")
    assert again == msgspec.structs.replace(GOOD, buttons=(GOOD.buttons[0], shown, *GOOD.buttons[2:]))
    assert build(again) == build(GOOD)
    named = TemplateDraft(
        name="a",
        language="en",
        category="marketing",
        text="Hi {{first_name}}, it is {{day}}.",
        examples=("Tom", "Monday"),
    )
    check(named)
    assert read("a", "en", "MARKETING", build(named)) == named
    swapped = "Order {{2}} of {{1}}."
    assert places(swapped) == ["1", "2"]
    picture = TemplateDraft(
        name="a", language="en", category="marketing", text="Hi.", header=Header(format="image", media_id="m")
    )
    assert build(picture, "4::h")[0] == {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["4::h"]}}


ANY = st.recursive(
    st.none() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["type", "text", "format", "example", "buttons", "body_text", "url"]), inner, max_size=4),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=40)
@given(
    st.lists(
        st.dictionaries(st.sampled_from(["type", "text", "example", "buttons", "format"]), ANY, max_size=4), max_size=4
    )
)
def test_whatever_a_network_says_can_be_read(components: list[dict[str, Any]]) -> None:
    draft = read("a", "en", "X", components)
    assert isinstance(draft.text, str)
    assert says_the_same(components, components)
