"""Every error code that the network documents has one meaning here, and the driver acts on it."""

from __future__ import annotations

import pytest

from tablegram.messaging.lines.cloud.errors import TABLE, GraphError, judge
from tablegram.messaging.ports import Delayed, NetworkRefused
from tests.messaging.lines.cloud.lines import cloud_line, message

# code: (what happens, our code, who waits, the line's state, at least this long)
REFUSED = {
    131026: "not_on_network",
    131047: "window_closed",
    131049: "marketing_limited",
    131050: "opted_out",
    130472: "recipient_in_experiment",
    131021: "recipient_is_sender",
    131030: "recipient_not_allowed",
    131062: "recipient_not_supported",
    137000: "recipient_identity_changed",
    100: "network_parameter_invalid",
    131008: "network_parameter_missing",
    131009: "network_parameter_invalid",
    131051: "message_type_unsupported",
    132000: "template_parameters_mismatch",
    132001: "template_unknown",
    132005: "template_text_too_long",
    132007: "template_policy_violated",
    132008: "template_parameter_invalid",
    132012: "template_parameter_invalid",
    132015: "template_paused",
    132016: "template_disabled",
    132068: "flow_blocked",
    132069: "flow_throttled",
}
DELAYED = {
    4: ("line_rate_limited", "line", None, 60),
    80007: ("line_rate_limited", "line", None, 60),
    130429: ("line_rate_limited", "line", None, 1),
    131056: ("recipient_rate_limited", "recipient", None, 6),
    131048: ("line_spam_limited", "line", "restricted", 3_600),
    131064: ("line_messaging_limited", "line", "restricted", 3_600),
    133016: ("line_registration_limited", "line", "needs_attention", 3_600),
    1: ("network_busy", "line", None, 1),
    2: ("network_busy", "line", None, 1),
    131000: ("network_busy", "line", None, 1),
    131016: ("network_busy", "line", None, 1),
    133004: ("network_busy", "line", None, 1),
    131057: ("line_in_maintenance", "line", None, 1),
    135000: ("network_busy", "line", None, 1),
    131052: ("media_unreachable_by_network", "message", None, 1),
    131053: ("media_upload_failed", "message", None, 1),
    0: ("line_credentials_rejected", "line", "needs_attention", 60),
    190: ("line_credentials_rejected", "line", "needs_attention", 60),
    3: ("line_permission_missing", "line", "needs_attention", 60),
    10: ("line_permission_missing", "line", "needs_attention", 60),
    200: ("line_permission_missing", "line", "needs_attention", 60),
    250: ("line_permission_missing", "line", "needs_attention", 60),
    299: ("line_permission_missing", "line", "needs_attention", 60),
    131005: ("line_permission_missing", "line", "needs_attention", 60),
    33: ("line_number_unknown", "line", "needs_attention", 60),
    131037: ("display_name_unapproved", "line", "needs_attention", 60),
    133010: ("line_unregistered", "line", "needs_attention", 60),
    131031: ("line_locked", "line", "restricted", 60),
    368: ("line_blocked", "line", "restricted", 60),
    130497: ("country_restricted", "line", "restricted", 60),
    131042: ("payment_method_missing", "line", "restricted", 60),
    131044: ("payment_method_missing", "line", "restricted", 60),
    131045: ("line_certificate_rejected", "line", "restricted", 60),
}


def test_no_code_of_the_table_is_left_untested() -> None:
    assert set(TABLE) <= set(REFUSED) | set(DELAYED)


@pytest.mark.parametrize("code", REFUSED)
async def test_a_refusal_is_for_good_and_names_both_codes(code: int) -> None:
    async with cloud_line() as (line, graph):
        graph.error(400, code, error_data={"details": "the details"})
        outcome = await line.transmit(message())
        assert isinstance(outcome, NetworkRefused)
        assert (outcome.code, outcome.network_code) == (REFUSED[code], code)
        assert outcome.detail.endswith("The network says: the details")


@pytest.mark.parametrize("code", DELAYED)
async def test_a_passing_trouble_makes_the_right_one_wait(code: int) -> None:
    ours, holds, line_state, at_least_s = DELAYED[code]
    async with cloud_line() as (line, graph):
        graph.error(400, code)
        outcome = await line.transmit(message())
        assert isinstance(outcome, Delayed)
        assert (outcome.code, outcome.holds, outcome.line_state) == (ours, holds, line_state)
        assert outcome.network_code == code
        assert outcome.retry_after_s >= at_least_s
        assert (outcome.max_tries is not None) == (holds == "message")


@pytest.mark.parametrize(
    ("status", "error", "expected"),
    [
        (400, {"code": 999_999}, "network_refused"),
        (403, {"code": 999_999}, "network_refused"),
        (401, {"code": 999_999}, "line_credentials_rejected"),
        (400, {"code": 999_999, "is_transient": True}, "network_busy"),
        (429, {"code": 999_999}, "line_rate_limited"),
        (500, {"code": 999_999}, "network_busy"),
        (503, {}, "network_busy"),
        (400, {"code": "131026"}, "not_on_network"),
        (400, {"code": 131026, "error_data": "odd", "error_subcode": "odd", "message": None}, "not_on_network"),
        (400, {"code": 100, "error_subcode": 33}, "line_number_unknown"),
        (200, {"code": 131047}, "window_closed"),
    ],
)
async def test_a_code_we_do_not_know_is_judged_by_what_surrounds_it(status: int, error: object, expected: str) -> None:
    async with cloud_line() as (line, graph):
        graph.answer(status, {"error": error})
        outcome = await line.transmit(message())
        assert isinstance(outcome, NetworkRefused | Delayed)
        assert outcome.code == expected


def test_words_are_whole_sentences_and_codes_are_stable_names() -> None:
    for verdict in TABLE.values():
        assert verdict.code.replace("_", "").isalpha()
        assert verdict.code.islower()
        assert verdict.words[0].isupper()
        assert verdict.words.endswith(".")
        assert (verdict.policy == "refuse") == (verdict.retry_after_s == 0)


def test_the_networks_words_are_cut_to_size() -> None:
    error = GraphError(code=1, error_data={"details": "x \n" * 1_000})
    assert len(error.said) <= 300
    assert "\n" not in error.said
    assert judge(error).policy == "retry"
