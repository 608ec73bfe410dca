"""What every host must do, whatever network it has, and also when it has none."""

from __future__ import annotations

import time

from tablegram.linehost.checking.frames import Breach, need
from tablegram.linehost.checking.peer import Peer, Trial
from tablegram.linehost.wire import Frame
from tablegram.linehost.words import MAX_FRAME, PROTOCOL


def it_greets(trial: Trial) -> None:
    """answers the greeting, with members that it does not know in it"""
    with Peer(trial) as host:
        ready = host.greet(tomorrow={"a": [1]})
        need(ready["protocol"] == PROTOCOL and not ready.get("refused"), f"ready must be of version {PROTOCOL}")


def it_refuses_another_version(trial: Trial) -> None:
    """answers another version with its own, says refused, and ends"""
    with Peer(trial) as host:
        ready = host.greet(protocol=PROTOCOL + 1_000)
        need(ready.get("refused") == "protocol", 'ready must have "refused": "protocol"')
        need(host.has_ended(), "a host that refuses must end")


def it_waits_to_be_led(trial: Trial) -> None:
    """carries out nothing before it is led, and tells its state then"""
    with Peer(trial) as host:
        host.greet()
        refused = host.order("send", **a_text("early"))
        need(_is_unled(refused), "an order before the first alive must be refused with unled")
        need(refused["no"].get("sent", "no") == "no", "what was not led has surely not been sent")
        host.lead()
        host.until(lambda: "state" in host.notes, "a host that is led must tell its state")


def it_lets_go_in_silence(trial: Trial) -> None:
    """lets go when the time it was led for has passed, and comes back when it is led again"""
    with Peer(trial) as host:
        host.greet()
        host.lead(2.0)
        host.until(lambda: "state" in host.notes, "a host that is led must tell its state")
        time.sleep(2.5)
        need(_is_unled(host.order("send", **a_text("late"))), "an order after that time must be refused with unled")
        host.lead()
        need("ok" in host.order("probe"), "a host that is led again must answer a probe")


def it_answers_each_order_once(trial: Trial) -> None:
    """answers each of many orders once, whatever they are"""
    with Peer(trial) as host:
        host.greet()
        host.lead()
        for number in [host.ask("probe") for _ in range(50)]:
            need("ok" in host.answer(number), "a probe must be answered with ok")
        odd = [
            host.ask("moon"),
            host.ask("send"),
            host.ask("read", id=7),
            host.ask("send", to=[], content={"type": {}}),
        ]
        odd += [host.ask("send", **a_text("x") | {"content": {"type": "moon"}}), host.ask("fetch", id="none")]
        for number in odd:
            need("no" in host.answer(number), "an order that makes no sense must be refused")
        need(host.answer(odd[0])["no"]["code"] == "unknown_order", "an unknown order is refused with unknown_order")
        need("ok" in host.order("probe"), "a host must go on after orders that make no sense")
        # An answer too many would be seen here.
        host.listen(0.3)


def it_reads_frames_however_they_come(trial: Trial) -> None:
    """reads frames that come in pieces, and several at once; leaves alone what it does not know"""
    with Peer(trial) as host:
        host.greet()
        host.lead()
        first, second = host.ask("probe"), host.ask("probe")
        need("ok" in host.answer(first) and "ok" in host.answer(second), "two frames at once are two orders")
        for piece in (b'{"tomorrow"', b': "\xc5', b'\x9f"}', b"\n"):
            host.say_raw(piece)
            time.sleep(0.05)
        host.say({"took": 1_000_000})
        # A frame of the largest size is one as well.
        host.say_raw(b'{"tomorrow": "' + b"a" * (MAX_FRAME - 100) + b'"}\n')
        need("ok" in host.order("probe"), "a host must go on after frames that it does not know")


def it_ends_at_what_no_frame_is(trial: Trial) -> None:
    """ends when it is told what no frame is: garbage, no object, a frame without an end"""
    for name, raw in (
        ("garbage", b"\x00\xff\xfe garbage\n"),
        ("an array", b"[1, 2]\n"),
        ("a frame without an end", b"a" * (3 * MAX_FRAME)),
    ):
        with Peer(trial) as host:
            host.greet()
            host.lead()
            host.say_raw(raw)
            need(host.has_ended(), f"it must end when it is told {name}")


def it_ends_with_its_gateway(trial: Trial) -> None:
    """ends when the socket closes, before and after it is led"""
    for is_led in (False, True):
        with Peer(trial) as host:
            host.greet()
            if is_led:
                host.lead()
                host.order("probe")
            host.hang_up()
            need(host.has_ended(), "it must end within 3 s when the socket closes")


def it_tells_what_it_can(trial: Trial) -> None:
    """says what it can do, and refuses plainly what it does not name"""
    with Peer(trial) as host:
        can = host.greet().get("can", [])
        host.lead()
        need("text" in can, "a host must at least be able to send text")
        for order, given in (("typing", {"to": "905551112233"}), ("check", {"phone": "905551112233"})):
            if order not in can:
                need("no" in host.order(order, **given), f"{order} is not in can, so it must be refused")
        if "state" not in host.notes:
            host.until(lambda: "state" in host.notes, "a host that is led must tell its state")
        if host.note("state")["state"] != "connected":
            told = host.order("send", **a_text("x"))
            need("no" in told, "a host that is not connected cannot send")
            need(told["no"].get("sent", "no") == "no", "what cannot be sent has surely not been sent")
            if told["no"].get("again_s") is None:
                raise Breach("a host that is only not connected must say again_s, or the message is lost")


def _is_unled(answer: Frame) -> bool:
    return bool(answer.get("no", {}).get("code") == "unled")


def a_text(key: str, to: str = "905551112233") -> dict[str, object]:
    """The order to send a text."""
    name = "3EB0" + key.encode().hex().upper()[:16]
    return {"to": to, "key": key, "id": name, "content": {"type": "text", "text": f"Text {key}"}, "reply_to": ""}


CASES = (
    it_greets, it_refuses_another_version, it_waits_to_be_led, it_lets_go_in_silence, it_answers_each_order_once,
    it_reads_frames_however_they_come, it_ends_at_what_no_frame_is, it_ends_with_its_gateway, it_tells_what_it_can,
)  # fmt: skip
