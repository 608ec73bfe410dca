"""What `make deploy-check` holds by itself: it refuses what is wrong, and the files below `deploy/` are not."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.cases import cases
from tools.deploy.containers import COMPOSE, compose_rules

# `make deploy-check` installs it, and runs this file.
needs_parser = pytest.mark.skipif(find_spec("promql_parser") is None, reason="promql-parser is not installed")
# What stands in bus.yaml, what somebody could write in its place, and what is said of that.
WRONG = [
    ("image: nats:2", "image: example.com/nats:2", "the image example.com/nats:2 names a host"),
    ("read_only: true", "read_only: false", "the service bus is not sealed"),
    ("cap_drop: [ALL]", "cap_drop: [ALL]\n    privileged: true", "the service bus is not sealed"),
    ("networks: [back]", "networks: [behind]", "the network behind is not declared"),
    ("./nats.conf:", "./nothing.conf:", "the service bus mounts ./nothing.conf, which does not exist"),
    ('"./nats.conf:', '"nothing:/data", "./nats.conf:', "the volume nothing is not declared"),
    ("bus:${NATS_PASSWORD:?see .env.example}@", "", "TABLEGRAM_NATS_URL has no password"),
    ("bus:${NATS_PASSWORD:?see .env.example}@", "bus:secret@", "the password in TABLEGRAM_NATS_URL is written down"),
    ("bus:${NATS_PASSWORD", "bus:${BUS_PASSWORD", "BUS_PASSWORD is not in .env.example"),
    ("'\"${NATS_PASSWORD:?see .env.example}\"'", "secret", "NATS_PASSWORD is written down"),
]


def test_the_compose_files_keep_the_rules() -> None:
    assert compose_rules() == []


def test_a_compose_file_that_adds_to_another_is_held_to_the_same_rules(tmp_path: Path) -> None:
    text, changed = COMPOSE[1].read_text(), tmp_path / "bus.yaml"
    with cases() as trying:
        for right, wrong, trouble in WRONG:
            with trying.case(trouble):
                assert right in text
                changed.write_text(text.replace(right, wrong, 1))
                assert compose_rules([COMPOSE[0], changed]) == [f"bus.yaml: {trouble}"]


@needs_parser
def test_every_question_of_the_dashboard_is_read_and_a_broken_one_refused(tmp_path: Path) -> None:
    from tools.deploy.dashboard import BOARD, expressions

    assert expressions() == []
    text, changed = BOARD.read_text(), tmp_path / "dashboard.json"
    right = json.dumps("max(tablegram_nodes)")
    assert right in text
    with cases() as trying:
        for broken in (
            "max(tablegram_nodes",
            "rate(tablegram_nodes)",
            "most(tablegram_nodes)",
            "max(tablegram_nodes[$nothing])",
        ):
            with trying.case(broken):
                changed.write_text(text.replace(right, json.dumps(broken)))
                (trouble,) = expressions(changed)
                assert trouble.startswith(f"Processes: {broken}: ")
