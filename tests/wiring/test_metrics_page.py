"""Every figure that `/metrics` shows is explained on its page, and the page explains no other.

Rules and dashboards for who watches ask for no figure that is not there.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from tablegram.server.metrics import render
from tests.api.product_in_process import product

pytestmark = pytest.mark.once

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/reference/metrics.md"
WATCHING = ROOT / "deploy/observability"
# A line of the page's tables: a figure, or one of the drains that the label tells apart.
_NAMED = re.compile(r"^\| `([a-z_ ]+)` \|", re.MULTILINE)
_FIGURE = re.compile(r"\b(?:tablegram|process)_[a-z_]+\b")
_BY_LABELS = re.compile(r"\b(?:by|without|on|ignoring)\s*\(([^)]*)\)|(\w+)\s*(?:=~|!~|!=|=)\s*\"")


async def test_page_rules_and_dashboard_know_every_figure_and_no_other(database_url: str, tmp_path: Path) -> None:
    # With all that an installation may have, and a message that waits.
    every: dict[str, Any] = {"reader_url": "http://127.0.0.1:9/v1", "reader_model": "a-model", "sandbox": True}
    async with product(database_url, tmp_path, **every) as running:
        assert (await running.ask("POST", "/instances", {"kind": "sandbox"})).status == 201
        send_at = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
        later = {"phone": "905551112233", "message": "Hello", "send_at": send_at}
        assert (await running.ask("POST", "/messages/send", later)).status == 200
        figures = await running.api.whole.figures()
    families = list(text_string_to_metric_families(render(figures)))
    shown = {f"{one.name}_total" if one.type == "counter" else one.name for one in families}
    named = set(_NAMED.findall(PAGE.read_text()))
    explained = {name for name in named if _FIGURE.fullmatch(name)}
    assert explained == shown
    labels = {name.split('"')[1] for name in figures if name.startswith("drain_")}
    assert named - explained - {"drain"} == labels

    samples = {sample.name for one in families for sample in one.samples} | shown
    known = {label for one in families for sample in one.samples for label in sample.labels}
    asked = [*_rules(), *_panels()]
    assert len(asked) > 20
    for expression in asked:
        assert set(_FIGURE.findall(expression)) <= samples, expression
        # `instance` and `job` are Prometheus' own.
        words = {word.strip() for many, one in _BY_LABELS.findall(expression) for word in (many or one).split(",")}
        assert words <= {*known, "le", "instance", "job"}, expression


def _rules() -> list[str]:
    groups = yaml.safe_load((WATCHING / "alerts.yml").read_text())["groups"]
    return [rule["expr"] for group in groups for rule in group["rules"]]


def _panels() -> list[str]:
    board: dict[str, Any] = json.loads((WATCHING / "dashboard.json").read_text())
    return [target["expr"] for panel in board["panels"] for target in panel.get("targets", ())]
