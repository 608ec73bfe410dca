"""Places in a payload that people click on, and who a form is found to be from."""

from __future__ import annotations

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from tablegram.stores.platforms.forms.finding import person_in
from tablegram.stores.platforms.forms.shapes import Field
from tablegram.stores.platforms.opening import MAPPED, SOURCES, places_in
from tablegram.stores.platforms.paths import at, leaves
from tablegram.stores.ports import Setup
from tests.cases import cases
from tests.contract.stores.deliveries import deliveries

NAMES = st.text(st.sampled_from("ab.\\0ş "), min_size=1, max_size=4).filter(lambda name: name == " ".join(name.split()))


@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        st.integers(0, 99) | st.text(st.sampled_from("xyz"), min_size=1, max_size=3),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
        max_leaves=10,
    )
)
def test_what_is_shown_at_a_place_is_found_at_that_place(value: object) -> None:
    for path, shown in leaves({"a": value}):
        assert str(at({"a": value}, path)) == shown, path


def test_whatever_can_be_clicked_on_can_be_mapped() -> None:
    with cases() as tried:
        for platform in MAPPED:
            for case, one in deliveries(platform).items():
                for place, value in places_in(platform, one.headers, one.raw):
                    with tried.case(f"{platform} {case} {place}"):
                        mapping = {"kind": "=order_paid", "reference": "=1", "name": place}
                        (event,) = SOURCES[platform].read(one.headers, one.raw, Setup(mapping=mapping))
                        assert event.person.name == " ".join(value.split())[:200] or value in ("true", "false")


def test_a_mapping_that_leads_nowhere_takes_nothing_else_instead() -> None:
    one = deliveries("form")["mapped_by_hand"]
    for place in ("gone", "field_1", "telefon.0", "\\", "." * 900):
        (event,) = SOURCES["form"].read(one.headers, one.raw, Setup(mapping={"phone": place}))
        assert event.person.phones == ()


# The label or name of a field, and what it is taken for.
CALLED = {
    "phone": "Telefon|TELEFON NUMARANIZ|Cep Tel|cep_telefonu|GSM|WhatsApp No|Phone|phoneNumber|your-phone|Mobile number|İletişim telefonu",
    "name": "Ad Soyad|ADI SOYADI|Adınız Soyadınız|İsim Soyisim|Name|Full name|your-name|fullName|First and last name",
    "email": "E-posta|E-Posta adresiniz|eposta|E-mail|your-email|Mail adresi",
    "": "Fax|Firma adı|Company name|Şirket telefonu|Sipariş no|TC kimlik|Otel|Mesaj|User name|Password|Stel",
}  # fmt: skip
VALUES = {"phone": "0537 000 00 11", "name": "Ali Can", "email": "ali@example.com"}


def test_fields_are_known_by_what_they_are_called_in_english_and_turkish() -> None:
    with cases() as tried:
        for fact, labels in CALLED.items():
            for label in labels.split("|"):
                for name, shown in ((label, ""), ("f", label)):
                    with tried.case(f"{label} is {fact or 'nothing'}"):
                        found = {
                            "phone": person_in((Field(name, VALUES["phone"], shown),), {}).phones,
                            "name": person_in((Field(name, VALUES["name"], shown),), {}).name,
                            "email": person_in((Field(name, VALUES["email"], shown),), {}).email,
                        }
                        assert {taken for taken, value in found.items() if value} == ({fact} if fact else set())


def test_a_form_without_a_secret_is_proven_by_its_address() -> None:
    for one in deliveries("form").values():
        SOURCES["form"].prove("", one.headers, one.raw)
        SOURCES["form"].prove(" \n", one.headers | {"typeform-signature": "sha256=x"}, one.raw)


def test_only_facts_that_are_known_can_be_mapped_and_others_are_fields() -> None:
    body = msgspec.json.encode({"a": "1", "b": {"c": 2}})
    mapping = {"kind": "=form", "reference": "a", "table": "b.c", "gone": "b.x", "fixed": "=yes"}
    (event,) = SOURCES["generic"].read({}, body, Setup(mapping=mapping))
    assert (event.kind, event.reference, event.fields) == ("form_sent", "1", (("table", "2"), ("fixed", "yes")))
