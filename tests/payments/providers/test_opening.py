"""A provider is made of the right keys in the right mode, and costs nothing before it is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tablegram.payments.ports import ProviderRefused
from tablegram.payments.providers.opening import Providers
from tablegram.settings import Settings
from tablegram.values.http.outbound import GuardedClient, Targets
from tests.payments.test_kinds import GOOD, WRONG

IDLE = """
import sys
from tablegram.payments.providers.opening import Providers
from tablegram.settings import Settings
from tablegram.values.http.outbound import GuardedClient, Targets
providers = Providers(Settings(), GuardedClient(Targets()))
made = providers.of("stripe", "test", {"secret_key": "sk_test_1", "webhook_secret": "whsec_" + "A" * 40})
assert made.mode == "test"
sys.exit("stripe" in sys.modules)
"""


def test_only_good_keys_of_the_right_mode_make_a_provider() -> None:
    providers = Providers(Settings(sandbox=True), GuardedClient(Targets()))
    for name, mode, keys in GOOD:
        made = providers.of(name, mode, keys)
        assert (made.name, made.mode) == (name, mode)
    for name, mode, change, _ in WRONG:
        keys = next(good for known, _, good in GOOD if known == name) | change
        with pytest.raises(ProviderRefused):
            providers.of(name, mode, keys)
    with pytest.raises(ProviderRefused) as refused:
        providers.of("paypal", "test", {})
    assert refused.value.code == "provider_unknown"


def test_the_sandbox_provider_is_there_only_with_the_sandbox() -> None:
    keys = next(good for known, _, good in GOOD if known == "sandbox")
    with pytest.raises(ProviderRefused) as refused:
        Providers(Settings(), GuardedClient(Targets())).of("sandbox", "test", keys)
    assert refused.value.code == "sandbox_off"


def test_who_makes_no_link_does_not_load_the_library() -> None:
    assert subprocess.run([sys.executable, "-c", IDLE], check=False, timeout=110).returncode == 0
