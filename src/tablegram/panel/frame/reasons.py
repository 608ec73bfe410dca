"""Reasons that the services write down once, in English, said in the visitor's language where we know them."""

from __future__ import annotations

import re

from tablegram.panel.i18n import translate

# What a reason begins with, and the words for it. A group in the pattern is filled into the words.
_KNOWN: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.DOTALL), key)
    for pattern, key in (
        (r"Waiting for the first contact with the network\.", "reasons.waiting"),
        (r"Restarted; waiting for the network\.", "reasons.restarted"),
        (r"Connected as (?P<name>.+)\.", "reasons.connected_as"),
        (r"Connected\.", "reasons.connected"),
        (r"The network has banned the number\.", "reasons.banned"),
        (r"The network has restricted the number\.", "reasons.restricted"),
        (r"The network is limiting the number's rate\.", "reasons.rate_limited"),
        (r"The network has flagged the number for low quality\.", "reasons.flagged"),
        (r"The network lets the number reach fewer people a day\.", "reasons.fewer_people"),
        (r"The network has disabled the business account\.", "reasons.account_disabled"),
        (r"The network is going to disable the business account\.", "reasons.account_disabling"),
        (r"The network has restricted the business account\.", "reasons.account_restricted"),
        (r"The network says that the business account has broken its rules\.", "reasons.account_violation"),
        (r"The network has rejected the business account in its review\.", "reasons.account_rejected"),
        (r"The business account is no longer connected to this app\.", "reasons.account_removed"),
        (r"The network warns: (?P<text>.+)", "reasons.network_warns"),
        (r"The number is not connected to the network\.", "reasons.not_connected"),
        (r"The number was removed from the network\.", "reasons.removed"),
        (r"The number is not verified with the network\.", "reasons.unverified"),
        (r"The network rates the number's quality as low; it may limit it soon\.", "reasons.low_quality"),
        (r"The network answered HTTP (?P<status>\d+)\.", "reasons.http"),
        (r"The address of the network does not answer like the Cloud API\..*", "reasons.address_wrong"),
        (r"The network rejects the line's access token\..*", "reasons.token_rejected"),
        (r"The line's access token may not send messages\..*", "reasons.permission_missing"),
        (r"The network no longer knows this line's number\..*", "reasons.number_unknown"),
        (r"The line's display name is not approved yet by the network\..*", "reasons.name_unapproved"),
        (r"The number is not registered with the network\..*", "reasons.unregistered"),
        (r"The number was registered and removed too often;.*", "reasons.registered_too_often"),
        (r"The network limits this line because recipients blocked or reported it\..*", "reasons.spam_limited"),
        (r"The line's allowance of recipients for 24 hours is used up\..*", "reasons.allowance_used"),
        (r"The network does not let this line write to that country\..*", "reasons.country_restricted"),
        (r"The network has locked the business account\..*", "reasons.locked"),
        (r"The network has blocked the business account for a while over its policies\..*", "reasons.blocked"),
        (r"The network wants a valid payment method for the business account\..*", "reasons.payment_missing"),
        (r"The line's registration is not valid\..*", "reasons.certificate_rejected"),
        (r"The network has a problem of its own\..*", "reasons.network_busy"),
        (r"The network's limit on calls is used up for now\..*", "reasons.calls_used_up"),
        (r"The line sends faster than the network allows\..*", "reasons.too_fast"),
        (r"The network is changing this line; it is back within minutes\..*", "reasons.maintenance"),
        (r"The network cannot be reached: (?P<why>.+)\.", "reasons.network_unreachable"),
        (r"The sandbox network cannot be reached: (?P<why>.+)\.", "reasons.sandbox_unreachable"),
        (r"The sandbox network answered HTTP (?P<why>.+)", "reasons.sandbox_answered"),
        (r"No phone is linked yet\. Ask for a code to link one\.", "reasons.unpaired"),
        (r"The line's program is starting\.", "reasons.host_starting"),
        (r"The line is being taken over from another process\.", "reasons.unled"),
        (r"Waiting for a phone\..*", "reasons.waiting_for_phone"),
        (r"Logged out here\..*", "reasons.logged_out_here"),
        (r"The phone has ended the link\..*", "reasons.logged_out_by_phone"),
        (r"The network has restricted this number\.", "reasons.number_restricted"),
        (r"The network lets this number write to no new people for now\.", "reasons.no_new_people"),
        (r"The same device was opened elsewhere\..*", "reasons.replaced"),
        (r"This account must be linked with a passkey,.*", "reasons.passkey"),
        (r"The network asks for a newer version of the engine\..*", "reasons.engine_outdated"),
        (r"The network cannot be reached\.", "reasons.network_away"),
        (r"The engine (?P<name>\S+) is not installed here\.", "reasons.engine_missing"),
        (
            r"The engine (?P<name>\S+) is not installed here\. Install it with (?P<command>.+) and start the server anew\.",
            "reasons.engine_to_install",
        ),
        (r"This line is on the sandbox network, which is off here\..*", "reasons.only_sandbox"),
        (r"This machine runs as many linked lines as it may: (?P<most>\d+)\..*", "reasons.lines_full"),
        (r"The line's program ended: (?P<why>.+)\. It starts again in (?P<seconds>\d+) s\.", "reasons.host_ended"),
        (r"The line has sent its (?P<cap>\d+) messages of 24 hours\. It goes on at (?P<at>\S+)\.", "reasons.daily_cap"),
        (
            r"The phone was linked lately, so that the line writes to (?P<most>\d+) new people in 24 hours\. This one waits until (?P<at>\S+)\.",
            "reasons.warming_up",
        ),
        (r"Nothing was heard of the network for (?P<minutes>\d+) minutes\..*", "reasons.silent"),
        (r"None of the (?P<sent>\d+) messages of the last hour was reported as delivered\..*", "reasons.undelivered"),
        (r"Disabled by its owner\.", "reasons.paused_by_hand"),
        (r"Nothing but failures for five days\.", "reasons.hopeless"),
        (r"The endpoint answered 410 Gone\.", "reasons.gone"),
        (r"HTTP (?P<status>\d+)", "reasons.endpoint_http"),
        (r"Not delivered: (?P<why>.+)\.", "reasons.not_delivered"),
        (r"It may not be called: (?P<why>.+)\.", "reasons.not_allowed"),
        (r"It was not taken in time\.", "reasons.not_in_time"),
    )
)
# Why no answer came, as the wire says it.
_WHY: tuple[tuple[str, str], ...] = (
    ("its name cannot be resolved", "reasons.why_name"),
    ("the secure connection failed", "reasons.why_tls"),
    ("no secure connection could be made", "reasons.why_tls"),
    ("connecting took too long", "reasons.why_slow"),
    ("no connection could be made in time", "reasons.why_slow"),
    ("the connection was refused", "reasons.why_refused"),
    ("no connection could be made: Connection refused", "reasons.why_refused"),
    ("no connection could be made", "reasons.why_no_connection"),
    ("no answer in time", "reasons.why_no_answer"),
    ("the answer broke off", "reasons.why_broke_off"),
    ("the connection was lost", "reasons.why_lost"),
    ("the connection was closed before the whole answer came", "reasons.why_broke_off"),
    ("the answer cannot be read", "reasons.why_unreadable"),
    ("the answer is too large", "reasons.why_unreadable"),
    ("the call was given up", "reasons.why_no_answer"),
    ("it ended by itself", "reasons.why_ended"),
    ("it did not answer", "reasons.why_mute"),
    ("it used ", "reasons.why_memory"),
    ("it said what no frame is", "reasons.why_nonsense"),
    ("it stopped to listen", "reasons.why_deaf"),
    ("its process could not be started", "reasons.why_no_process"),
    ("it speaks version ", "reasons.why_version"),
    ("it was stopped", "reasons.why_stopped"),
    ("the connection to it broke", "reasons.why_lost_host"),
)
_SAYS = " The network says: "


def tell_reason(language: str, reason: str) -> str:
    """The reason in a language. What the network itself says, and what we do not know, stays as it is."""
    own, says, quoted = reason.partition(_SAYS)
    for pattern, key in _KNOWN:
        if found := pattern.fullmatch(own):
            values = {name: _tell_why(language, value) for name, value in found.groupdict().items()}
            words = translate(language, key, **values)
            return f"{words} {translate(language, 'reasons.network_says', text=quoted)}" if says else words
    return reason


def _tell_why(language: str, why: str) -> str:
    return next((translate(language, key) for beginning, key in _WHY if why.startswith(beginning)), why)
