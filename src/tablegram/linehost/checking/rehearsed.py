"""What a host must do with a phone and with messages, for hosts that can rehearse what their network would do."""

from __future__ import annotations

import base64
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from tablegram.linehost.checking.alone import a_text
from tablegram.linehost.checking.frames import need
from tablegram.linehost.checking.peer import Peer, Trial
from tablegram.linehost.wire import Frame

GUEST = "905551112233"
# Each phone is linked once, so that no case finds what another has left.
_phones = count(905_330_000_000 + time.time_ns() % 1_000_000)
_keys = count(time.time_ns() % 1_000_000_000)


def it_pairs_by_a_code_to_scan(trial: Trial) -> None:
    """shows a code to scan with time left; then it is connected, and gives a session to keep"""
    with _led(trial) as host:
        code = host.note("qr")
        need(code["until_ms"] > time.time() * 1_000, "a code must still be good when it is shown")
        phone = _scan(host)
        need(host.note("state").get("phone") == phone, "the state must tell the phone's number")
        need(base64.b64decode(host.note("session")["session"]) != b"", "the session must be something to keep")


def it_pairs_by_a_code_to_type(trial: Trial) -> None:
    """gives a code to type for a phone's number"""
    with _led(trial) as host:
        told = host.order("pair", phone=str(next(_phones)))
        need("ok" in told and isinstance(told["ok"].get("code"), str), "pair with a phone must give a code")
        need(told["ok"].get("until_ms", 0) > time.time() * 1_000, "a code must still be good when it is given")


def it_sends_once_and_tells_how_it_went(trial: Trial) -> None:
    """sends a message once; a refusal is for good; a lost answer is unknown, and nothing is sent again"""
    with _linked(trial) as host:
        sent, refused, lost = (f"check-{next(_keys)}" for _ in range(3))
        told = host.order("send", **a_text(sent))
        need("ok" in told and isinstance(told["ok"].get("id"), str), "a message that went out has an id")
        _play(host, "refuse")
        told = host.order("send", **a_text(refused))
        need("no" in told and told["no"].get("sent", "no") == "no", "a refusal must say that nothing was sent")
        need(told["no"].get("again_s") is None, "a refusal for good must not say again_s")
        _play(host, "lose")
        told = host.order("send", **a_text(lost))
        need("no" in told and told["no"].get("sent") == "unknown", "a lost answer must be sent: unknown")
        taken = _play(host, "taken")["keys"]
        need(taken.count(sent) == 1, "a message must go out once")
        need(taken.count(refused) == 0, "what was refused must not go out")
        need(taken.count(lost) <= 1, "what may have gone out must not be sent again")


def it_tells_what_it_heard_until_it_is_taken(trial: Trial) -> None:
    """tells a message until it is taken, also after it was killed; told twice, it has one name"""
    with _linked(trial) as host:
        written = _play(host, "message", phone=GUEST, text="Hello ğ", times=2)
        host.until(lambda: _named(host, written["id"]) is not None, "a message must be told")
        event = _named(host, written["id"]) or {}
        need(event["data"].get("text") == "Hello ğ", "the text must be as it was written")
        need(event["data"].get("from", {}).get("phone") == GUEST, "a message must tell who wrote it")
        second = _play(host, "message", phone=GUEST, text="And", times=1)
        words = "what follows a message that was told twice must be told"
        host.until(lambda: _take_all_but(host, second["id"]), words)
        names = {one["name"] for one in host.events if one["data"].get("id") == written["id"]}
        need(len(names) == 1, "the same message must always have the same name")
        session = host.note("session")["session"]
        host.kill()
    with Peer(trial, host.folder, session) as again:
        again.greet()
        again.lead()
        again.until(lambda: _named(again, second["id"]) is not None, "what was not taken must be told after a kill")
        is_same = (_named(again, second["id"]) or {})["name"] == (_named(host, second["id"]) or {})["name"]
        need(is_same, "a message must keep its name after a kill")
        again.until(lambda: again.note("state").get("state") == "connected", "a session must bring the device back")
        need("qr" not in again.notes, "a device with a session must not ask to be scanned again")
        numbers = [one["n"] for one in again.events]
        need(len(set(numbers)) == len(numbers), "every event must have a number of its own")
        for one in again.events:
            again.took(one)


def it_does_what_it_says_it_can(trial: Trial) -> None:
    """marks as read, types, checks numbers and tells the past again, if it says that it can"""
    with _linked(trial) as host:
        can = host.ready.get("can", [])
        written = _play(host, "message", phone=GUEST, text="Hello", times=1)
        host.until(lambda: _named(host, written["id"]) is not None, "a message must be told")
        event = _named(host, written["id"]) or {}
        host.took(event)
        if "read" in can:
            need("ok" in host.order("read", id=written["id"]), "read must be carried out on a message that came in")
        if "typing" in can:
            for state in ("typing", "recording", "paused"):
                need("ok" in host.order("typing", to=GUEST, state=state), f"typing must be carried out with {state}")
        if "check" in can:
            told = host.order("check", phone=GUEST).get("ok", {})
            need(isinstance(told.get("exists"), bool), "check must answer whether the number exists")
            need(isinstance(told.get("lid", ""), str), "lid of a check must be a text")
        if "history" in can:
            before = len(host.events)
            told = host.order("history", since_ms=event["data"]["at_ms"] - 1_000).get("ok", {})
            need(isinstance(told.get("told"), int), "history must answer how many messages it told")
            host.until(lambda: len(host.events) > before, "history must tell the message again")
            need(host.events[-1]["name"] == event["name"], "history must tell a message under its first name")


def it_tells_the_end_of_a_link(trial: Trial) -> None:
    """ends the link when it is ordered to or when the phone does, and forgets the session"""
    with _linked(trial) as host:
        need("ok" in host.order("logout"), "logout must be carried out")
        host.until(lambda: host.note("session").get("session") == "", "after a logout the session must be empty")
        host.until(lambda: host.note("state")["state"] == "logged_out", "after a logout the state is logged_out")
    with _linked(trial) as host:
        _play(host, "end")
        host.until(lambda: host.note("state")["state"] == "logged_out", "when the phone ends it, it is logged_out")
        host.until(lambda: host.note("session").get("session") == "", "when the phone ends it, the session is empty")


def _named(host: Peer, message_id: str) -> Frame | None:
    return next((one for one in host.events if one["data"].get("id") == message_id), None)


def _take_all_but(host: Peer, message_id: str) -> bool:
    """Take whatever else was told; whether that message is there."""
    for one in host.events[host.taken :]:
        if one["data"].get("id") != message_id:
            host.took(one)
    host.taken = len(host.events)
    return _named(host, message_id) is not None


@contextmanager
def _led(trial: Trial) -> Iterator[Peer]:
    """A host that shows a code."""
    with Peer(trial) as host:
        host.greet()
        host.lead()
        host.until(lambda: "qr" in host.notes, "a host without a session must show a code")
        yield host


@contextmanager
def _linked(trial: Trial) -> Iterator[Peer]:
    with _led(trial) as host:
        _scan(host)
        yield host


def _scan(host: Peer) -> str:
    """A phone of this number lets the device in."""
    phone = str(next(_phones))
    _play(host, "scan", phone=phone)
    host.until(lambda: host.note("state").get("state") == "connected", "a code that was scanned must connect")
    host.until(lambda: bool(host.note("session").get("session")), "a device that was let in must give its session")
    return phone


def _play(host: Peer, what: str, **given: Any) -> Frame:
    told = host.order("rehearse", what=what, **given)
    need("ok" in told, f"it cannot rehearse {what}: {told.get('no')}")
    ok: Frame = told["ok"]
    return ok


CASES = (
    it_pairs_by_a_code_to_scan, it_pairs_by_a_code_to_type, it_sends_once_and_tells_how_it_went,
    it_tells_what_it_heard_until_it_is_taken, it_does_what_it_says_it_can, it_tells_the_end_of_a_link,
)  # fmt: skip
