"""The lock files: everything pinned, everything hashed, no host named, and true to pyproject.toml."""

from __future__ import annotations

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.repository.files import ROOT

LOCKS = (
    "requirements.lock",
    "requirements-dev.lock",
    "requirements-linked.lock",
    "requirements-linked-tryx.lock",
    "requirements-nats.lock",
    "requirements-traces.lock",
    "tools/deploy/requirements.lock",
    "tools/docs_site/requirements.lock",
)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def pins(name: str) -> dict[str, str]:
    found = re.findall(r"^([\w.-]+)==([^\s;\\]+)", read(name), re.MULTILINE)
    return {canonicalize_name(package): version for package, version in found}


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_names_no_host_and_no_path(name: str) -> None:
    assert re.findall(r"\S*(?:://|--index|--find-links|--trusted-host| @ )\S*", read(name)) == []
    assert re.findall(r"(?m)^\s*-(?!-hash).*", read(name)) == []


@pytest.mark.parametrize("name", LOCKS)
def test_every_pin_has_a_hash(name: str) -> None:
    entries = re.split(r"(?m)^(?=[A-Za-z0-9])", re.sub(r"(?m)^\s*#.*\n?", "", read(name)))
    assert [entry.split()[0] for entry in entries if entry.strip() and "--hash=sha256:" not in entry] == []
    assert len(pins(name)) == len([entry for entry in entries if entry.strip()])


@pytest.mark.parametrize(
    ("name", "declared"),
    [
        ("requirements.lock", PROJECT["dependencies"]),
        ("requirements-dev.lock", PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]),
        ("requirements-linked.lock", PROJECT["dependencies"] + PROJECT["optional-dependencies"]["linked"]),
        ("requirements-linked-tryx.lock", PROJECT["optional-dependencies"]["linked-tryx"]),
        ("requirements-nats.lock", PROJECT["dependencies"] + PROJECT["optional-dependencies"]["nats"]),
        ("requirements-traces.lock", PROJECT["dependencies"] + PROJECT["optional-dependencies"]["traces"]),
    ],
)
def test_a_lock_holds_what_the_project_declares(name: str, declared: list[str]) -> None:
    locked = pins(name)
    wrong = [
        text
        for text in declared
        if not (need := Requirement(text)).specifier.contains(locked.get(canonicalize_name(need.name), "0"))
    ]
    assert wrong == [], "run: make lock"


def test_tests_run_on_the_versions_that_are_shipped() -> None:
    tested = pins("requirements-dev.lock")
    for shipped in (pins("requirements.lock"), pins("requirements-linked.lock")):
        assert {name: tested.get(name) for name in shipped} == shipped
