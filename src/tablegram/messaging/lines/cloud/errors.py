"""The Cloud API's error codes as data, and what each one means for the message and for its line.

    refuse           this message will never go; the sender is told why
    retry            not now; the message, its recipient or the whole line waits for seconds or minutes
    pause            the network has limited the line; it waits for hours and somebody should know
    needs_attention  the line's credentials or set-up are wrong; a person must act

Build on `code` and `error_data.details` only: the network changes its titles and messages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import msgspec

from tablegram.messaging.ports import Delayed, LineState, NetworkRefused, Outcome

Policy = Literal["refuse", "retry", "pause", "needs_attention"]
Holds = Literal["message", "recipient", "line"]

MINUTE_S = 60.0
HOUR_S = 3_600.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """Our reading of one network code: a stable code, plain words, and what to do."""

    code: str
    words: str
    policy: Policy
    holds: Holds = "line"
    retry_after_s: float = 0.0
    line_state: LineState | None = None
    max_tries: int | None = None


def _refuse(code: str, words: str) -> Verdict:
    return Verdict(code, words, "refuse", holds="message")


def _retry(code: str, words: str, after_s: float, holds: Holds = "line", max_tries: int | None = None) -> Verdict:
    return Verdict(code, words, "retry", holds, after_s, max_tries=max_tries)


def _pause(code: str, words: str, after_s: float = 2 * HOUR_S) -> Verdict:
    return Verdict(code, words, "pause", "line", after_s, "restricted")


def _stop(code: str, words: str) -> Verdict:
    """A limit that ends as soon as a person acts: looked at again more often than one that must run out."""
    return _pause(code, words, 30 * MINUTE_S)


def _attention(code: str, words: str, after_s: float = 5 * MINUTE_S) -> Verdict:
    return Verdict(code, words, "needs_attention", "line", after_s, "needs_attention")


_TOKEN = _attention(
    "line_credentials_rejected",
    "The network rejects the line's access token. Create a new token and update the line.",
)
_PERMISSION = _attention(
    "line_permission_missing",
    "The line's access token may not send messages. Give its app the messaging permission, or update the line.",
)
_BUSY = _retry("network_busy", "The network has a problem of its own. The message goes out when it is over.", 5.0)
_CALL_RATE = _retry("line_rate_limited", "The network's limit on calls is used up for now.", 60.0)

TABLE: dict[int, Verdict] = {
    # Too fast.
    4: _CALL_RATE,
    80007: _CALL_RATE,
    130429: _retry("line_rate_limited", "The line sends faster than the network allows.", 3.0),
    131056: _retry("recipient_rate_limited", "Too many messages to this recipient in a short time.", 6.0, "recipient"),
    # The network is unwell.
    1: _BUSY,
    2: _BUSY,
    131000: _BUSY,
    131016: _BUSY,
    133004: _BUSY,
    135000: _BUSY,
    131057: _retry("line_in_maintenance", "The network is changing this line; it is back within minutes.", 30.0),
    # A file that one side could not fetch or store: often passing, sometimes for good.
    131052: _retry(
        "media_unreachable_by_network",
        "The network could not fetch the file. Check that its address is public.",
        10.0,
        "message",
        max_tries=3,
    ),
    131053: _retry(
        "media_upload_failed",
        "The network could not take the file. Check its type and size.",
        10.0,
        "message",
        max_tries=3,
    ),
    # The network has limited the line.
    131048: _pause("line_spam_limited", "The network limits this line because recipients blocked or reported it."),
    131064: _pause("line_messaging_limited", "The line's allowance of recipients for 24 hours is used up."),
    130497: _stop("country_restricted", "The network does not let this line write to that country."),
    131031: _stop("line_locked", "The network has locked the business account. Look into its account quality page."),
    368: _stop("line_blocked", "The network has blocked the business account for a while over its policies."),
    131042: _stop("payment_method_missing", "The network wants a valid payment method for the business account."),
    131044: _stop("payment_method_missing", "The network wants a valid payment method for the business account."),
    131045: _stop("line_certificate_rejected", "The line's registration is not valid. Register the number again."),
    # Credentials and set-up.
    0: _TOKEN,
    190: _TOKEN,
    3: _PERMISSION,
    10: _PERMISSION,
    131005: _PERMISSION,
    33: _attention("line_number_unknown", "The network no longer knows this line's number. Check phone_number_id."),
    131037: _attention("display_name_unapproved", "The line's display name is not approved yet by the network."),
    133010: _attention("line_unregistered", "The number is not registered with the network. Register it first."),
    133016: _attention(
        "line_registration_limited",
        "The number was registered and removed too often; the network refuses it for up to 72 hours.",
        2 * HOUR_S,
    ),
    # The recipient.
    131026: _refuse("not_on_network", "The recipient cannot receive this message: no account, or too old an app."),
    131047: _refuse("window_closed", "More than 24 hours since the recipient last wrote. Send a template instead."),
    131049: _refuse("marketing_limited", "The network holds back marketing to this recipient. Try in a few days."),
    131050: _refuse("opted_out", "The recipient does not want marketing messages from this business."),
    130472: _refuse("recipient_in_experiment", "The network holds this message back as part of an experiment."),
    131021: _refuse("recipient_is_sender", "The recipient is the line's own number."),
    131030: _refuse("recipient_not_allowed", "A test number writes to its allow-list only; add the recipient there."),
    131062: _refuse("recipient_not_supported", "This kind of message needs the recipient's phone number."),
    137000: _refuse("recipient_identity_changed", "The recipient's identity key has changed since it was confirmed."),
    # The message.
    100: _refuse("network_parameter_invalid", "The network does not accept a part of this message."),
    131008: _refuse("network_parameter_missing", "The network misses a part of this message."),
    131009: _refuse("network_parameter_invalid", "The network does not accept a value in this message."),
    131051: _refuse("message_type_unsupported", "The network does not support this type of message."),
    # Templates.
    132000: _refuse("template_parameters_mismatch", "The number of values differs from the template's placeholders."),
    132001: _refuse("template_unknown", "No approved template has this name in this language."),
    132005: _refuse("template_text_too_long", "The template's text is too long with these values."),
    132007: _refuse("template_policy_violated", "The template's content breaks a policy of the network."),
    132008: _refuse("template_parameter_invalid", "A value does not fit its place in the template."),
    132012: _refuse("template_parameter_invalid", "A value does not have the format that the template asks for."),
    132015: _refuse("template_paused", "The network has paused this template for low quality. Edit or wait."),
    132016: _refuse("template_disabled", "The network has disabled this template for good. Use another one."),
    132068: _refuse("flow_blocked", "The template's flow is blocked. Put the flow right first."),
    132069: _refuse("flow_throttled", "The template's flow is throttled: too many uses in the last hour."),
}

# 100 with this subcode is about the line's own object and not about the message.
_OBJECT_MISSING = 33
_NUMBER_UNKNOWN = TABLE[33]
_UNKNOWN_REFUSAL = _refuse("network_refused", "The network refused the message.")

BARE_CONFIGURATION = _attention(
    "line_address_wrong",
    "The address of the network does not answer like the Cloud API. Check the base address, version and number id.",
)


class GraphError(msgspec.Struct, frozen=True):
    """The `error` object of an answer, and each member of `errors` in a callback.

    Only `code` is relied on; the rest is of any type, because an odd member must not hide the code.
    """

    code: int = -1
    message: object = ""
    title: object = ""
    error_subcode: object = None
    error_data: object = None
    is_transient: object = False

    @property
    def said(self) -> str:
        """The network's own words, cut to a length that a log and an answer can carry."""
        details = self.error_data.get("details") if isinstance(self.error_data, dict) else None
        text = details or self.message or self.title
        return " ".join(str(text).split())[:300] if text else ""


def judge(error: GraphError, http_status: int = 400) -> Verdict:
    """What an error object means. A code that is not in the table is judged by the HTTP status."""
    if error.code == 100 and error.error_subcode == _OBJECT_MISSING:
        return _NUMBER_UNKNOWN
    verdict = TABLE.get(error.code)
    if verdict is not None:
        return verdict
    if 200 <= error.code <= 299:
        return _PERMISSION
    if http_status == 429:
        return _CALL_RATE
    if http_status >= 500 or error.is_transient is True:
        return _BUSY
    if http_status == 401:
        return _TOKEN
    return _UNKNOWN_REFUSAL


def describe(verdict: Verdict, error: GraphError) -> str:
    """Our words, then the network's own, so that a person can look them up."""
    said = error.said
    return f"{verdict.words} The network says: {said}" if said else verdict.words


def outcome(error: GraphError, http_status: int, retry_after_s: float = 0.0) -> Outcome:
    """The outcome of a call that the network answered with an error object."""
    verdict = judge(error, http_status)
    detail = describe(verdict, error)
    network_code = error.code if error.code >= 0 else None
    if verdict.policy == "refuse":
        return NetworkRefused(verdict.code, detail, network_code)
    return delayed(verdict, detail, network_code, retry_after_s)


def delayed(verdict: Verdict, detail: str, network_code: int | None = None, retry_after_s: float = 0.0) -> Delayed:
    """A wait of at least what the network asked for."""
    return Delayed(
        verdict.code,
        detail,
        max(verdict.retry_after_s, retry_after_s),
        verdict.holds,
        verdict.line_state,
        network_code,
        verdict.max_tries,
    )
