"""Who wrote a form: by the type of a field where the builder says one, else by what the field is called.

Labels are English or Turkish. Whatever is mapped by hand comes first, and alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from tablegram.stores.platforms import picking as pick
from tablegram.stores.platforms.forms.shapes import Field
from tablegram.stores.ports import ShopCustomer
from tablegram.values.folding import words

# What a mapping of a form may name.
FACTS = ("phone", "name", "first_name", "last_name", "email", "language", "country", "consents")

_PHONE_KINDS = frozenset(
    ("tel", "phone", "phone_number", "phonenumber", "input_phone_number", "control_phone", "mobile")
)
_EMAIL_KINDS = frozenset(("email", "input_email", "control_email"))
_NAME_KINDS = frozenset(("name", "fullname", "full_name", "control_fullname"))

_PHONE = frozenset(("tel", "cep", "cell", "telno", "ceptel", "tlf", "msisdn", "mobil"))
_PHONE_BEGINNINGS = ("telefon", "phone", "telephone", "mobile", "whatsapp", "gsm", "cellphone", "ceptel")
_EMAIL = frozenset(("email", "eposta", "mail", "emailiniz", "epostaniz", "epostasi", "emailaddress"))
_FIRST = frozenset(("ad", "adi", "adiniz", "isim", "isminiz", "first", "firstname", "fname", "forename", "given"))
_LAST = frozenset(("soyad", "soyadi", "soyadiniz", "soyisim", "last", "lastname", "lname", "surname", "family"))
_WHOLE = frozenset(("name", "fullname", "adsoyad", "adisoyadi", "isimsoyisim", "yourname"))
# Names, numbers and addresses of something else than a person.
_OTHERS = frozenset(
    ("company", "firma", "sirket", "user", "username", "kullanici", "product", "urun", "domain", "file", "dosya", "event",
     "page", "fax", "faks", "site", "marka", "brand", "url", "utm", "referrer", "pet", "school", "okul")
)  # fmt: skip


def person_in(fields: tuple[Field, ...], mapping: Mapping[str, str]) -> ShopCustomer:
    def mapped(fact: str) -> str:
        place = mapping.get(fact, "")
        if place.startswith("="):
            return place[1:]
        return next((one.value for one in fields if place and place in (one.name, one.label)), "")

    return ShopCustomer(
        name=pick.text(mapped("name")) or pick.full_name(mapped("first_name"), mapped("last_name")) or _name(fields),
        phones=pick.phones(mapped("phone")) if mapping.get("phone") else _phones(fields),
        email=pick.email(mapped("email")) if mapping.get("email") else _email(fields),
        language=pick.language(mapped("language"))
        or _plain(fields, ("lang", "language", "locale", "dil"), pick.language),
        country=pick.country(mapped("country")) or _plain(fields, ("country", "ulke"), pick.country),
        consents=pick.flag(mapped("consents")),
    )


def _called(field: Field) -> frozenset[str]:
    """The words of its name and its label; `phoneNumber`, `phone_number` and `your-phone` are two words each."""
    whole = f"{field.name} {field.label}".replace("_", " ")
    return frozenset((*words(whole), *words(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", whole))))


def _phones(fields: tuple[Field, ...]) -> tuple[str, ...]:
    typed = [one.value for one in fields if one.kind.lower() in _PHONE_KINDS]
    named = [one.value for one in fields if _is_phone(_called(one))]
    # Several in one answer, or under one name, are written behind each other.
    apart = [one for value in (*typed, *named) for one in re.split(r"[,;\n]", value)[:5]]
    return tuple(one for one in pick.phones(*apart) if sum(map(str.isdigit, one)) >= 7)


def _is_phone(called: frozenset[str]) -> bool:
    if called & _OTHERS:
        return False
    return bool(called & _PHONE) or any(word.startswith(_PHONE_BEGINNINGS) for word in called)


def _email(fields: tuple[Field, ...]) -> str:
    typed = [one.value for one in fields if one.kind.lower() in _EMAIL_KINDS]
    named = [one.value for one in fields if (called := _called(one)) & _EMAIL or {"e", "posta"} <= called]
    return pick.email(*typed, *named)


def _name(fields: tuple[Field, ...]) -> str:
    typed = next((one.value for one in fields if one.kind.lower() in _NAME_KINDS), "")
    if typed:
        return pick.text(typed)
    first = last = whole = ""
    for field in fields:
        called = _called(field)
        if called & _OTHERS or "@" in field.value:
            continue
        is_first, is_last = bool(called & _FIRST), bool(called & _LAST)
        if (is_first and is_last) or (called & _WHOLE and not is_first and not is_last):
            whole = whole or field.value
        elif is_first:
            first = first or field.value
        elif is_last:
            last = last or field.value
    return pick.text(whole) or pick.full_name(first, last)


def _plain(fields: tuple[Field, ...], names: tuple[str, ...], read: Callable[[str], str]) -> str:
    return next((told for one in fields if one.name.lower() in names and (told := read(one.value))), "")
