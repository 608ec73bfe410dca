"""Users choose addresses; by its text alone none leads anywhere but to the public internet."""

from __future__ import annotations

import pytest

from tablegram.values.http.outbound import TargetForbidden, Targets
from tests.values.outbound import HOSTILE, LOOPBACK

# As long as a name may be.
LONGEST = "a" * 60 + ("." + "b" * 60) * 3 + "." + "c" * 5 + ".com"
FINE = [
    ("https://example.com/hook", "example.com", 443),
    ("https://EXAMPLE.com/hook?a=1", "example.com", 443),
    ("HTTPS://example.com", "example.com", 443),
    ("https://example.com:443/", "example.com", 443),
    ("https://example.com:8443/", "example.com", 8443),
    ("https://8.8.8.8/", "8.8.8.8", 443),
    ("https://[2a00:1450:4001::1]:8443/", "2a00:1450:4001::1", 8443),
    ("https://bücher.example/", "xn--bcher-kva.example", 443),
    ("https://a_b.example.com/a@b?c=@d", "a_b.example.com", 443),
    ("https://1e100.example.net/ü%20x", "1e100.example.net", 443),
    ("https://example.com/" + "a" * 2_000, "example.com", 443),
    (f"https://{LONGEST}/", LONGEST, 443),
]


@pytest.mark.parametrize("url", HOSTILE, ids=ascii)
def test_a_hostile_url_is_refused_by_its_text(url: str) -> None:
    with pytest.raises(TargetForbidden) as caught:
        Targets().check_url(url)
    assert caught.value.reason


@pytest.mark.parametrize(("url", "host", "port"), FINE)
def test_an_ordinary_url_passes(url: str, host: str, port: int) -> None:
    target = Targets().check_url(url)
    assert (target.host, target.port) == (host, port)


def test_an_answer_that_is_no_address_is_refused() -> None:
    with pytest.raises(TargetForbidden, match="not a valid address"):
        Targets().check_address("not.an.address", host="example.com", port=443)


# All of them but those that only the list itself opens, or that only the dial can judge once there is a list.
STILL_HOSTILE = [
    "https://10.0.0.1/",
    "http://8.8.8.8/",
    "https://8.8.8.8:25/",
    "https://2130706433/",
    "https://[::ffff:127.0.0.1]/",
    "http://example.com:443/",
    "https://user@127.0.0.1/",
    "https://127.0.0.1/#x",
    "ftp://127.0.0.1/",
    "https://127.1/",
    "https://[64:ff9b::7f00:1]/",
]


@pytest.mark.parametrize("url", STILL_HOSTILE)
def test_a_list_of_private_networks_opens_nothing_else(url: str) -> None:
    with pytest.raises(TargetForbidden):
        Targets(LOOPBACK).check_url(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://127.8.8.8:9000/x",
        "https://127.0.0.1:22/",
        "http://[::1]:9000/",
        "http://localhost:9000/",
    ],
)
def test_listed_networks_may_be_called_in_the_plain_and_on_any_port(url: str) -> None:
    assert Targets(LOOPBACK).check_url(url).url
