"""Every attack in its short form against one product; `make attack` is the long one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.databases import Databases
from tools.attack.attack import Attack, all_attacks
from tools.attack.ground import Ground, Health, open_ground

pytestmark = pytest.mark.slow

ATTACKS = all_attacks()
SECURITY = Path(__file__).parent.parent.parent / "SECURITY.md"


@pytest.fixture(scope="module")
def ground(databases: Databases) -> Iterator[Ground]:
    url = databases.migrated()
    with open_ground(url, short=True) as opened:
        yield opened
    databases.drop(url)


@pytest.mark.parametrize("attack", [pytest.param(one, id=one.name.replace(" ", "_")) for one in ATTACKS])
async def test_the_service_stands_and_goes_on_answering(attack: Attack, ground: Ground) -> None:
    with Health(ground.product.url) as health:
        told = await attack.run(replace(ground, part=ATTACKS.index(attack)))
    assert told
    assert health.failures == [], told
    assert ground.product.server.is_running()


def test_the_table_of_the_attacks_names_each() -> None:
    rows = [line.split("|")[1].strip() for line in SECURITY.read_text().splitlines() if line.startswith("| ")]
    missing = [attack.name for attack in ATTACKS if attack.name not in rows]
    assert missing == [], f"SECURITY.md tells nothing of: {', '.join(missing)}"
