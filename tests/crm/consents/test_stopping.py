"""STOP is a whole message: said in any language and with any decoration, and never part of something else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablegram.crm.consent.stopping import MAX_LETTERS, read_button, read_text
from tablegram.flows.contacts.consents.words import confirmation, spoken
from tests.cases import cases

pytestmark = pytest.mark.once

# What is written, what it means and in which language; `order` where it may be about an order.
STOPS = [
    ("STOP", ""), ("stop", ""), ("Stop.", ""), (" *STOP* ", ""), ("“stop”!!!", ""), ("🛑 stop 🛑", ""), ("STOP\n", ""),
    ("ＳＴＯＰ", ""), ("stop stop stop", ""), ("please stop", ""), ("STOP\u200f", ""), ("s\u200btop", ""), ("Stopp", ""),
    ("StOp 🙏🏽", ""), ("unsubscribe", "en"), ("Opt-out", "en"), ("Unsubscribe me, please", "en"),
    ("ret", "tr"), ("RET", "tr"), ("mesaj istemiyorum", "tr"), ("MESAJ İSTEMİYORUM", "tr"), ("MESAJ ISTEMIYORUM", "tr"),
    ("Mesaj göndermeyin lütfen", "tr"), ("LİSTEDEN ÇIKAR", "tr"), ("listeden çıkar!", "tr"), ("Beni listeden çıkarın", "tr"),
    ("abmelden", "de"), ("ABBESTELLEN", "de"), ("Keine Werbung!", "de"), ("bitte abmelden", "de"),
    ("توقف", "ar"), ("تَوَقَّف", "ar"), ("إيقاف", "ar"), ("ايقاف", "ar"), ("إلغاء الاشتراك", "ar"), ("أوقف", "ar"), ("تـــوقف", "ar"),
    ("désabonner", "fr"), ("ARRÊT", "fr"), ("darme de baja", "es"), ("no más mensajes", "es"), ("СТОП", "ru"), ("отписаться", "ru"),
]  # fmt: skip
ORDER_TALK = [
    ("iptal", "tr"), ("İPTAL", "tr"), ("IPTAL", "tr"), ("ıptal", "tr"), ("İptal!", "tr"), ("dur", "tr"), ("DUR", "tr"),
    ("cancel", "en"), ("storno", "de"), ("إلغاء", "ar"),
]  # fmt: skip
STARTS = [
    ("START", ""), ("start!", ""), ("BAŞLA", "tr"), ("basla", "tr"), ("Başlat", "tr"), ("subscribe", "en"),
    ("anmelden", "de"), ("ابدأ", "ar"), ("اشترك", "ar"), ("старт", "ru"),
]  # fmt: skip
NOTHING = [
    "", " ", "!!!", "🛑", "STOP 12345", "12345 stop", "stop sending onions", "stop it at the corner", "don't stop", "nonstop",
    "stopover", "bus stop", "please", "lütfen", "durum", "dürüm", "2 dürüm", "dur bir dakika", "iptal etmeyin", "siparişi iptal et",
    "retro", "redbull", "stop\x00drop", "STOP'u bekle", "pit-stop", "başlangıç", "start the order", "restart", "one start",
    "توقف عند الباب", "кафе стоп", "s t o p", "5top", "st0p", "stop " * 40, "a" * 100_000, "\u202e", "＃stop1", "stop/start",
    "çok dur", "bitte ein Bier", "baja la música", "end of story", "alto", "stop,start",
]  # fmt: skip


def test_what_ends_and_begins_advertising_is_told_from_everything_else() -> None:
    with cases() as found:
        for wish, is_order_talk, table in (
            ("stop", False, STOPS),
            ("stop", True, ORDER_TALK),
            ("start", False, STARTS),
        ):
            for text, language in table:
                with found.case(f"{wish}: {text!r}"):
                    said = read_text(text)
                    assert said is not None
                    assert (said.wish, said.language, said.is_order_talk) == (wish, language, is_order_talk)
        for text in NOTHING:
            with found.case(f"nothing: {text[:40]!r}"):
                assert read_text(text) is None


@given(st.text(max_size=MAX_LETTERS + 5), st.sampled_from(["stop", "iptal", "توقف", "start"]))
def test_a_word_among_other_words_says_nothing_of_advertising(text: str, word: str) -> None:
    read_text(text)
    assert read_text(f"{text} {word} onions") is None


def test_buttons_say_it_and_nothing_but_their_own_id_does() -> None:
    assert [getattr(read_button(one), "wish", None) for one in ("tg:stop", "tg:start", "tg:stopp", "", None, 7)] == [
        "stop", "start", None, None, None, None,
    ]  # fmt: skip


def test_it_is_confirmed_in_the_language_of_the_word_the_contact_or_the_number() -> None:
    assert spoken("de", "tr", "905551112233") == "de"
    assert spoken("", "tr-TR", "4915112345678") == "tr"
    assert spoken("", "ja", "4915112345678") == "de"
    assert [spoken("", "", phone) for phone in ("905551112233", "966501234567", "12025550123", "TR.1", "")] == [
        "tr", "ar", "en", "tr", "en",
    ]  # fmt: skip
    for language in ("en", "tr", "de", "ar", "fr", "es", "ru"):
        for wish in ("stop", "start"):
            # A machine that says our own words back to us says nothing of advertising.
            assert read_text(confirmation(wish, language)) is None
