"""Every source of store events: what is genuine, once, and what it means, whatever comes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablegram.stores.platforms.opening import SOURCES
from tablegram.stores.ports import Setup, Source, StoreEvent, Unreadable, Unverified
from tests.cases import cases
from tests.contract.stores.deliveries import OTHER, PROOFS, SECRET, Delivery, deliveries, signed
from tests.long import many

NO_SETUP = Setup()
# The proof lies in the address alone: there is no secret.
PROVED_BY_ADDRESS = {"form"}
every_source = pytest.mark.parametrize("platform", sorted(SOURCES))


def refused(what: Callable[[], object]) -> bool:
    try:
        what()
    except Unverified:
        return True
    return False


def read(source: Source, headers: dict[str, str], body: bytes, setup: Setup = NO_SETUP) -> tuple[StoreEvent, ...]:
    """What it means, or nothing where it cannot be read. No other error passes."""
    name, topic = source.name(headers, body), source.topic(headers, body)
    assert 0 < len(name) <= 200
    assert len(body) > 100_000 or name == source.name(headers, body)
    assert len(topic) <= 200
    try:
        found = source.read(headers, body, setup)
    except Unreadable:
        return ()
    # What is kept goes through JSON, and into a store that keeps no NUL.
    written = msgspec.json.encode(found)
    assert b"\\u0000" not in written
    assert len(written) < 700_000
    assert msgspec.json.decode(written, type=tuple[StoreEvent, ...]) == found
    for event in found:
        assert 0 < len(event.reference) <= 200
        assert event.amount is None or (event.currency and 0 <= event.amount <= 10**12)
    return found


@every_source
def test_every_delivery_means_what_its_file_says(platform: str) -> None:
    source = SOURCES[platform]
    with cases() as tried:
        for case, one in deliveries(platform).items():
            with tried.case(case):
                headers = signed(platform, one)
                source.prove(SECRET, headers, one.raw)
                found = read(source, headers, one.raw, one.setup)
                assert found == one.means, msgspec.json.encode(found).decode()


@every_source
def test_a_delivery_is_proven_by_its_secret_alone(platform: str) -> None:
    source, (case, one) = SOURCES[platform], next(iter(deliveries(platform).items()))
    with cases() as tried:
        for number, proof in enumerate(PROOFS[platform]):
            genuine = one.headers | proof(SECRET, one.raw)
            with tried.case(f"{case} {number} right"):
                source.prove(SECRET, genuine, one.raw)
                source.prove(f"{OTHER}\n  {SECRET}  \n", genuine, one.raw)
            wrong: dict[str, tuple[str, dict[str, str], bytes]] = {
                "of another": (SECRET, one.headers | proof(OTHER, one.raw), one.raw),
                "with another secret here": (OTHER, genuine, one.raw),
                "absent": (SECRET, one.headers, one.raw),
                "empty": (SECRET, genuine | dict.fromkeys(proof(SECRET, one.raw), ""), one.raw),
                "strange": (SECRET, genuine | dict.fromkeys(proof(SECRET, one.raw), "ş\udce9\x00="), one.raw),
            }
            inside = {name: f"{value[:-3]}!{value[-3:]}" for name, value in proof(SECRET, one.raw).items()}
            wrong["with another sign inside"] = (SECRET, genuine | inside, one.raw)
            if proof(SECRET, b"one") != proof(SECRET, b"another"):
                wrong["cut off"] = (SECRET, genuine, one.raw[:-1])
                wrong["longer"] = (SECRET, genuine, one.raw + b" ")
            if platform not in PROVED_BY_ADDRESS:
                for blank in ("", " ", "\n\n"):
                    wrong[f"no secret {blank!r}"] = (blank, one.headers | proof(blank, one.raw), one.raw)
            for name, (secret, headers, body) in wrong.items():
                with tried.case(f"{case} {number} {name}"):
                    assert refused(lambda: source.prove(secret, headers, body)), "passes"  # noqa: B023


@every_source
def test_the_same_delivery_has_one_name_and_others_have_others(platform: str) -> None:
    source = SOURCES[platform]
    names: dict[str, list[str]] = {}
    for case, one in deliveries(platform).items():
        names.setdefault(source.name(signed(platform, one), one.raw), []).append(case)
        # Whoever sends it again may sign it anew, or write other headers of their own.
        again = signed(platform, one, OTHER) | {"user-agent": "later", "date": "tomorrow"}
        assert source.name(again, one.raw) == source.name(signed(platform, one), one.raw), case
    assert [one for one in names.values() if len(one) > 1] == []


HOSTILE: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "blanks": lambda: b" \n ",
    "5 MB of one text": lambda: b'{"id":1,"note":"' + b"x" * 5_000_000 + b'"}',
    "brackets": lambda: b"[" * 500_000,
    "escapes": lambda: b'{"id":"' + b"\\ud83d" * 30_000 + b'"}',
    "5 MB of empty lists": lambda: b"[" + b"[]," * 1_600_000 + b"1]",
    "5 MB of fields": lambda: b"a=b&" * 1_250_000,
    "one field": lambda: b"a=" + b"%C5%9F" * 80_000,
    "one number": lambda: b'{"id":' + b"9" * 500_000 + b"}",
    "one number with decimals": lambda: b'{"id":1,"total":' + b"9" * 500_000 + b".5}",
    "5 MB of another charset": lambda: b'{"id":"' + b"\x81" * 5_000_000 + b'"}',
    "goods": lambda: b'{"id":1,"line_items":[' + b",".join([b'{"title":"a","quantity":1}'] * 12_000) + b"]}",
    "more escapes": lambda: b'{"id":"' + b"\\ud83d" * 80_000 + b'"}',
    "marks of parts": lambda: b"--x\r\n" * 100_000,
    "deep": lambda: b'{"id":1,"customer":' + b'{"a":' * 900 + b"1" + b"}" * 901,
    "too deep": lambda: b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "broken": lambda: b'{"id":1,"phone":"+9053',
    "no JSON": lambda: b"<html>Not here</html>",
    "another kind": lambda: b"[1,2,3]",
    "null": lambda: b"null",
    "every field of another kind": lambda: (
        b'{"id":{"a":1},"token":[],"order_id":true,"customer":"x","billing":[1],"line_items":{"0":{}},'
        b'"orders":{"a":[null]},"fields":7,"meta_data":[[1],null,{"key":{}}],"transactions":"x","answers":[[]]}'
    ),
    "with a mark": lambda: b'\xef\xbb\xbf{"id":1}',
    "UTF-16": lambda: '{"id":1,"phone":"şş"}'.encode("utf-16"),
    "no UTF-8": lambda: b'{"id":1,"note":"\xfe\xdd\xf0"}',
    "half a sign": lambda: b'{"id":1,"name":"\\ud83d x \\udc00"}',
    "NUL": lambda: b'{"id":"a\\u0000b","token":"\\u0000","name":"\\u0000"}\x00',
    "huge numbers": lambda: b'{"id":1,"total":1e999999999,"currency":"TRY","total_price":-1e-999999,"count":' + b"9" * 400 + b"}",
    "fields named like ours": lambda: b'{"id":1,"kind":"shop_erasure_asked","reference":"","__class__":{},"person":{"phones":"x"}}',
}  # fmt: skip
CONTENT_TYPES = (
    "application/json",
    "application/json; charset=utf-16",
    "application/json; charset=rot13",
    "application/x-www-form-urlencoded; charset=windows-1254",
    "multipart/form-data; boundary=x",
    "multipart/form-data",
    "x" * 5_000,
)


@every_source
def test_what_is_hostile_is_read_or_is_unreadable_and_never_takes_long(platform: str) -> None:
    source = SOURCES[platform]
    topics = {msgspec.json.encode(one.headers): one.headers for one in deliveries(platform).values()}
    with cases() as tried:
        for case, make in HOSTILE.items():
            body = make()
            began = time.process_time()
            # Large bodies are tried a few times; small ones in all clothes.
            large = len(body) > 100_000
            for headers in list(topics.values())[:: 30 if large else 1]:
                with tried.case(f"{case} as {source.topic(headers, body)}"):
                    read(source, headers, body)
            kinds = CONTENT_TYPES if not large else () if platform not in PROVED_BY_ADDRESS else CONTENT_TYPES[3:5]
            for kind in kinds:
                with tried.case(f"{case} as {kind[:60]}"):
                    read(source, next(iter(topics.values())) | {"content-type": kind}, body)
            with tried.case(f"{case} in bounded time"):
                # Not how fast: that nobody reads each byte once for every other one.
                assert time.process_time() - began < 60


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


def mutated(value: Any, path: list[int], instead: Any) -> Any:
    """The same with another value at one place, which the numbers lead to."""
    if not path or not isinstance(value, dict | list) or not value:
        return instead
    if isinstance(value, dict):
        key = sorted(value)[path[0] % len(value)]
        return {**value, key: mutated(value[key], path[1:], instead)}
    place = path[0] % len(value)
    return [*value[:place], mutated(value[place], path[1:], instead), *value[place + 1 :]]


@every_source
@settings(max_examples=many(10, 25), deadline=None)
@given(data=st.data())
def test_no_change_of_a_delivery_makes_another_error_than_unreadable(platform: str, data: st.DataObject) -> None:
    bare: list[Delivery | None] = [known for known in deliveries(platform).values() if not known.text]
    one = data.draw(st.sampled_from(bare or [None]))
    body: bytes
    if one is None or data.draw(st.booleans()):
        one = data.draw(st.sampled_from(list(deliveries(platform).values())))
        cut = data.draw(st.integers(0, len(one.raw)))
        body = one.raw[:cut] + data.draw(st.binary(max_size=12)) + one.raw[cut + data.draw(st.integers(0, 3)) :]
    else:
        path = data.draw(st.lists(st.integers(0, 60), max_size=5))
        body = msgspec.json.encode(mutated(msgspec.json.decode(one.raw), path, data.draw(JSON)))
    source = SOURCES[platform]
    headers = {key: data.draw(st.sampled_from([value, value, value, ""])) for key, value in one.headers.items()}
    read(source, headers, body, one.setup)
    assert refused(lambda: source.prove(OTHER, signed(platform, one), body))
