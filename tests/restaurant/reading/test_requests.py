from __future__ import annotations

import pytest

from tablegram.restaurant.reading.sentences.besides import besides
from tablegram.restaurant.reading.sentences.requests import call_in


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("hesabı alabilir miyiz masa 5", "bill"), ("Hesap alabilir miyiz? Masa 12", "bill"), ("hesap lütfen", "bill"),
        ("5 numaralı masaya hesap", "bill"), ("can we have the bill, table 4", "bill"), ("the check please", "bill"),
        ("garson bakar mısınız", "waiter"), ("could you send the waiter to table 5 please", "waiter"),
    ],
)  # fmt: skip
def test_the_bill_and_the_waiter_are_called_for(text: str, kind: str) -> None:
    assert call_in(text) == kind


@pytest.mark.parametrize(
    "text",
    [
        "hesap ne kadar", "hesabı ödedik", "2 çay ve hesap", "can you check our order table 5", "hesap yanlış",
        "siparişimi check eder misiniz", "hesap 2 çay", "garson çok kaba", "2 lahmacun", "merhaba", "masa 5", "",
    ],
)  # fmt: skip
def test_whoever_says_anything_else_calls_for_nothing(text: str) -> None:
    assert call_in(text) is None


def test_what_stands_in_the_middle_of_an_order_is_cut_out_of_it() -> None:
    found = [(one.order, one.said, one.kind) for one in besides("2 çay alalım bir de hesap, masa 5")]
    assert ("2 çay alalım, masa 5", "hesap,", "bill") in found
