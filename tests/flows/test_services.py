"""Groups of services: found by their type; those that only edges ask for are made when the first is asked for."""

from __future__ import annotations

import asyncio
import time

import pytest

from tablegram.flows.services import Services


class Kitchen:
    """A group."""


class Cellar:
    """Another."""


def test_a_group_is_found_by_its_type_and_one_that_nobody_gives_is_refused() -> None:
    services, kitchen = Services(), Kitchen()
    services.add([kitchen])
    assert services.of(Kitchen) is kitchen
    with pytest.raises(LookupError, match="Cellar"):
        services.of(Cellar)


def test_desks_are_made_when_the_first_of_them_is_asked_for_and_not_by_who_asks_for_others() -> None:
    services, made = Services(), list[str]()
    services.add([Kitchen()])

    def cellar() -> Cellar:
        made.append("cellar")
        return Cellar()

    services.add_desks([cellar])
    services.of(Kitchen)
    assert made == []
    assert services.of(Cellar) is services.of(Cellar)
    services.load_desks()
    assert made == ["cellar"]


async def test_desks_that_several_ask_for_at_once_are_made_once_and_all_of_them_wait_for_the_same() -> None:
    services, made = Services(), list[Cellar]()

    def cellar() -> Cellar:
        time.sleep(0.05)
        made.append(Cellar())
        return made[-1]

    services.add_desks([cellar])
    found = await asyncio.gather(*(asyncio.to_thread(services.of, Cellar) for _ in range(4)))
    assert len(made) == 1
    assert found == made * 4


def test_a_desk_that_cannot_be_made_is_made_when_it_is_asked_for_again() -> None:
    services, tries = Services(), list[int]()

    def cellar() -> Cellar:
        tries.append(1)
        if len(tries) == 1:
            raise OSError("the disk")
        return Cellar()

    services.add_desks([cellar])
    with pytest.raises(OSError, match="the disk"):
        services.load_desks()
    assert isinstance(services.of(Cellar), Cellar)
