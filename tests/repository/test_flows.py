"""Flows are where two domains meet; what knows one of them stands in it."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tests.repository.files import ROOT, repository_files

SOURCE = ROOT / "src" / "tablegram"
FLOWS = SOURCE / "flows"
DOMAINS = {
    "accounts", "automations", "campaigns", "crm", "delivery", "events", "loyalty", "media", "messaging", "payments",
    "printing", "restaurant", "stores",
}  # fmt: skip
# Whoever has one of these serves an edge: who calls is checked, and what is asked twice is done once.
DESKS = {"tablegram.accounts.keys.keys", "tablegram.engine.idempotency"}
# What edges send, take and say, and how the words of a domain become it: one shape for all edges, beside the flow that
# it belongs to. Nothing that holds for the product may be known only there.
SHAPES = ("answers", "fields", "forms", "services", "told", "views", "wire", "words")
# Whatever else knows one domain, or none, each with its reason.
EXCEPTIONS = {
    "areas.py": "the services of all areas, for the edges",
    "delivery/points.py": "points as edges write and show them",
    "restaurant/desks/venue_changing.py": "the fields of a request put into a venue",
    "restaurant/guests/watching.py": "what open pages of a menu are told, whose glance is an answer",
    "restaurant/kitchen/display.py": "a station's screen, an answer and how it is made",
    "stores/people.py": "the pool of contacts behind what shops ask for by a type of a function",
}


def test_a_flow_joins_two_domains_or_serves_an_edge() -> None:
    sources = _sources()
    lonely = {name: _domains(_imported(sources[name])) for name in sources.keys() - _flows(sources)}
    found = [
        f"flows/{name} knows {' '.join(met) or 'no domain'} alone: what it rules, reads or keeps stands there"
        for name, met in sorted(lonely.items())
        if name not in EXCEPTIONS
    ]
    assert found == [], "\n".join(found)
    assert sorted(EXCEPTIONS) == sorted(lonely), "Leave out of EXCEPTIONS what is gone, or is a flow by now."


def test_a_rule_that_went_astray_is_found() -> None:
    rule = "from tablegram.restaurant import hours\nfrom tablegram.flows.restaurant.answers import menus\n"
    sources = {
        "restaurant/rule.py": rule,
        "restaurant/answers/menus.py": "",
        "restaurant/joint.py": rule + "from tablegram.crm import contacts\n",
        "restaurant/desk.py": rule + "from tablegram.engine.idempotency import Call\n",
        "restaurant/above.py": rule + "from tablegram.flows.restaurant.joint import Joint\n",
        "restaurant/far_above.py": "from tablegram.flows.restaurant import above\n",
        "restaurant/above_rules.py": "from tablegram.flows.restaurant.rule import Rule\n",
        "restaurant/nothing.py": "from tablegram.values.clock import Clock\n",
    }
    assert sources.keys() - _flows(sources) == {f"restaurant/{one}.py" for one in ("rule", "above_rules", "nothing")}


def test_every_domain_is_known_to_this_check() -> None:
    """As the layers name them."""
    line = next(one for one in (ROOT / "pyproject.toml").read_text().splitlines() if "accounts | messaging" in one)
    assert {one.strip(' ",') for one in line.split("|")} == DOMAINS


def _sources() -> dict[str, str]:
    """The modules of flows, by their places in it."""
    return {
        path.relative_to(FLOWS).as_posix(): path.read_text(encoding="utf-8")
        for path in repository_files()
        if path.suffix == ".py" and path.is_relative_to(FLOWS) and path.name != "__init__.py"
    }


def _flows(sources: Mapping[str, str]) -> set[str]:
    """Flows by what they meet, those that are made of flows, and the shapes beside them."""
    imported = {name: _imported(source) for name, source in sources.items()}
    shapes = {name for name in sources if _is_shape(name)}
    flows = {name for name, all_ in imported.items() if len(_domains(all_)) > 1 or any(_is_desks(one) for one in all_)}
    while more := {name for name, all_ in imported.items() if _modules(all_) & flows - shapes} - flows:
        flows |= more
    return flows | shapes


def _is_desks(name: str) -> bool:
    return name.rpartition(".")[0] in DESKS or name in DESKS


def _is_shape(name: str) -> bool:
    """`answers.py`, the folder `answers/`, `menu_wire.py`."""
    *folders, last = name.removesuffix(".py").split("/")
    return "answers" in folders or last.rpartition("_")[2] in SHAPES


def _domains(imported: set[str]) -> set[str]:
    return DOMAINS & {one.split(".")[1] for one in imported}


def _modules(imported: set[str]) -> set[str]:
    """Those of flows, by their places in it."""
    inside = [one.split(".")[2:] for one in imported if one.startswith("tablegram.flows.")]
    return {"/".join(parts) + ".py" for one in inside for parts in (one, one[:-1])}


def _imported(source: str) -> set[str]:
    """Modules and what is taken out of them, by their whole names."""
    return {
        f"{node.module}.{one.name}"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tablegram")
        for one in node.names
    }
