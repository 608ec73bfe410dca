"""The alert rules: read by Prometheus' own tool, and tried on made figures."""

from __future__ import annotations

from collections import defaultdict

from tools.deploy.files import DEPLOY, complaints, documents, program

WATCHING = DEPLOY / "observability"
TRIALS = sorted(WATCHING.glob("*.test.yml"))


def configuration() -> list[str]:
    """the configuration of Prometheus and the alert rules, by promtool"""
    promtool = program("promtool")
    return [
        *complaints(promtool, "check", "config", "prometheus.yml", where=WATCHING),
        *complaints(promtool, "check", "rules", "alerts.yml", where=WATCHING),
    ]


def at_work() -> list[str]:
    """the alert rules on made figures: each speaks when it should, and is silent when all is well"""
    return complaints(program("promtool"), "test", "rules", *(path.name for path in TRIALS), where=WATCHING)


def all_tried() -> list[str]:
    """the made figures: for each alert some that raise it, and some that do not"""
    outcomes: defaultdict[str, set[bool]] = defaultdict(set)
    for path in TRIALS:
        for trial in (trial for document in documents(path) for trial in document["tests"]):
            for one in trial["alert_rule_test"]:
                outcomes[one["alertname"]].add(bool(one["exp_alerts"]))
    (rules,) = documents(WATCHING / "alerts.yml")
    names = [rule["alert"] for group in rules["groups"] for rule in group["rules"]]
    found = [f"{name} is never raised" for name in names if True not in outcomes[name]]
    found += [f"{name} is never silent" for name in names if False not in outcomes[name]]
    return found + [f"{name} is tried, and is no alert" for name in sorted(outcomes.keys() - {*names})]


CHECKS = (configuration, at_work, all_tried)
