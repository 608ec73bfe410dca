"""The dashboard: what its panels ask Prometheus, read by a parser of that language."""

from __future__ import annotations

import json
import re
from pathlib import Path

import promql_parser

from tools.deploy.files import DEPLOY, every

BOARD = DEPLOY / "observability" / "dashboard.json"
# Grafana puts a length of time in place of these.
_LENGTHS = re.compile(r"\$(?:__rate_interval|__interval|__range)\b")


def expressions(board: Path = BOARD) -> list[str]:
    """what each panel of the dashboard asks, by a parser of PromQL"""
    found, asked = [], 0
    for panel in every(json.loads(board.read_text(encoding="utf-8")), "panels"):
        for one in (one for one in panel if one["type"] != "row"):
            targets = one.get("targets", [])
            asked += len(targets)
            if not targets:
                found.append(f"{one['title']} asks nothing")
            found += [f"{one['title']}: {trouble}" for target in targets for trouble in misread(target["expr"])]
    return found if asked else [*found, "the dashboard asks nothing"]


def misread(expression: str) -> list[str]:
    try:
        promql_parser.parse(_LENGTHS.sub("5m", expression))
    except ValueError as error:
        return [f"{expression}: {error}"]
    return []


CHECKS = (expressions,)
