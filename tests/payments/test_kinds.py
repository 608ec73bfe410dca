"""What is entered to connect a provider is right, or is named with what to do."""

from __future__ import annotations

from typing import get_args

from tablegram.payments.kinds import KINDS, mode_of, problems_of
from tablegram.payments.ports import Mode
from tests.cases import cases

WHSEC = "whsec_" + "A" * 40
GOOD: list[tuple[str, Mode, dict[str, str]]] = [
    ("stripe", "test", {"secret_key": "sk_test_51Abc", "webhook_secret": WHSEC}),
    ("stripe", "test", {"secret_key": "rk_test_51Abc", "webhook_secret": WHSEC}),
    ("stripe", "test", {"secret_key": "sk_test_51Abc"}),
    ("stripe", "live", {"secret_key": "sk_live_51Abc", "webhook_secret": WHSEC}),
    ("iyzico", "test", {"api_key": "sandbox-a", "secret_key": "sandbox-b"}),
    ("iyzico", "live", {"api_key": "a", "secret_key": "b"}),
    ("generic", "test", {"secret": WHSEC, "pay_url": "https://pay.example/?ref={link_id}"}),
    (
        "generic",
        "live",
        {"secret": WHSEC, "pay_url": "https://pay.example/{link_id}", "ask_url": "https://pay.example"},
    ),
    ("sandbox", "test", {"secret": WHSEC}),
]
# The provider, the mode, what differs from the good keys of that provider, and which field is named.
WRONG: list[tuple[str, Mode, dict[str, str], str]] = [
    ("stripe", "live", {}, "secret_key"),
    ("stripe", "test", {"secret_key": "sk_live_51Abc"}, "secret_key"),
    ("stripe", "test", {"secret_key": "pk_test_51Abc"}, "secret_key"),
    ("stripe", "test", {"secret_key": "sk_test_"}, "secret_key"),
    ("stripe", "test", {"secret_key": "sk_test_x\n"}, "secret_key"),
    ("stripe", "test", {"secret_key": "sk_test_" + "x" * 600}, "secret_key"),
    ("stripe", "test", {"webhook_secret": "whsec_"}, "webhook_secret"),
    ("stripe", "test", {"more": "x"}, "more"),
    ("iyzico", "live", {}, "api_key"),
    ("iyzico", "test", {"secret_key": "live"}, "secret_key"),
    ("iyzico", "live", {"api_key": "live"}, "secret_key"),
    ("iyzico", "test", {"api_key": ""}, "api_key"),
    ("generic", "test", {"secret": "whsec_AAAA"}, "secret"),
    ("generic", "test", {"secret": "whsec_" + "ü" * 40}, "secret"),
    ("generic", "test", {"secret": "whsec_" + "=" * 40}, "secret"),
    ("generic", "test", {"pay_url": "https://pay.example/"}, "pay_url"),
    ("generic", "test", {"pay_url": "javascript:alert({link_id})"}, "pay_url"),
    ("generic", "test", {"pay_url": "http://pay.example/{link_id}"}, "pay_url"),
    ("generic", "test", {"pay_url": "https://[/{link_id}"}, "pay_url"),
    ("generic", "test", {"ask_url": "ftp://pay.example"}, "ask_url"),
    ("sandbox", "live", {}, "secret"),
    ("sandbox", "test", {"secret": ""}, "secret"),
]


def test_good_keys_have_no_problem_and_tell_their_mode() -> None:
    with cases() as trial:
        for name, mode, keys in GOOD:
            with trial.case(f"{name} {mode}"):
                assert problems_of(name, mode, keys) == []
                assert mode_of(name, keys) == (mode if KINDS[name].tells_mode else None)


def test_wrong_keys_are_named_with_the_field_and_without_their_value() -> None:
    with cases() as trial:
        for name, mode, change, field in WRONG:
            with trial.case(f"{name} {mode} {change}"):
                keys = next(good for known, _, good in GOOD if known == name) | change
                problems = problems_of(name, mode, keys)
                assert field in [problem.field for problem in problems]
                told = " ".join(problem.words for problem in problems)
                assert not any(len(value) > 8 and value in told for value in change.values())
    assert {name for name, _, _, _ in WRONG} == set(KINDS)
    assert {mode for _, mode, _, _ in WRONG} == set(get_args(Mode))
