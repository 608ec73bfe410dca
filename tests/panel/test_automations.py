"""Automations in the panel: made by a tap, written as cards, told what is wrong by step, tried, turned on and reported."""

from __future__ import annotations

import re
from pathlib import Path

from tests.panel.visiting import house

CARDS = {
    "name": "How was it?", "on": "meal_finished", "language": "en", "quiet_from": "21:00", "quiet_until": "10:00", "cap_messages": "2",
    "phones": "+90 532 111 22 33", "do-4": "wait", "f-4-number": "2", "f-4-unit": "hours", "do-2": "feedback",
    "f-2-text": "How was it?", "f-2-low": "2", "f-2-review_url": "https://e.example/review",
}  # fmt: skip


async def test_an_owner_makes_changes_tries_and_turns_on_an_automation(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        ask = one.running.ask
        assert (await ask("POST", "/contacts", {"phone": "905551112233", "name": "Ayşe Yılmaz"})).status == 201
        owner = await one.person()
        first = await owner.get("/panel/automations")
        assert "There is no automation yet" in first.words
        made = await owner.post("/panel/automations", {"preset": "feedback"})
        assert made.status == 303
        here = made.location.partition("?")[0]
        page = await owner.get(here)
        # A template of each kind of step lies ready, and so do the two cards.
        assert re.findall(r'<template data-of="(\w+)"', page.text) == [
            "wait", "condition", "message", "feedback", "coupon", "notify", "end",
        ]  # fmt: skip
        assert 'name="do-1" value="wait"' in page.text
        assert 'name="f-2-text"' in page.text
        # Cards stand in the order in which they come, whatever their numbers are.
        changed = await owner.post(here, CARDS)
        assert (changed.status, changed.location.partition("?")[0]) == (303, here)
        (kept,) = (await ask("GET", "/automations")).json()["data"]
        assert kept["steps"] == [
            {"do": "wait", "hours": 2},
            {"do": "feedback", "text": "How was it?", "review_url": "https://e.example/review"},
        ]
        assert kept["phones"] == ["905321112233"]
        # What a template is filled in with is a line each; a coupon has its minimum. Both come back as they were written.
        more = {
            "do-7": "message", "f-7-kind": "template", "f-7-template_name": "brunch", "f-7-template_language": "tr",
            "f-7-template_variables": "{{first_name|dostum}}\r\n20", "do-8": "coupon", "f-8-name": "Tea", "f-8-percent": "10",
            "f-8-days": "30", "f-8-minimum": "150.5", "f-8-currency": "TRY",
        }  # fmt: skip
        assert (await owner.post(here, {**CARDS, **more})).status == 303
        (kept,) = (await ask("GET", "/automations")).json()["data"]
        assert kept["steps"][2]["template_variables"] == ["{{first_name|dostum}}", "20"]
        assert (kept["steps"][3]["minimum"], kept["steps"][3]["currency"]) == (150.5, "TRY")
        shown = await owner.get(here)
        assert "{{first_name|dostum}}\n20</textarea>" in shown.text
        assert 'name="f-4-minimum" value="150.5"' in shown.text
        wrong = await owner.post(here, {**CARDS, "f-2-text": " ", "do-9": "message", "f-9-text": "{{phone}}"})
        assert (wrong.status, "f-2-text-error" in wrong.text, "f-9-text-error" in wrong.text) == (422, True, True)
        look = await owner.post(f"{here}/look", {**CARDS, "f-4-number": ""})
        assert "Step 1: Say how long, or until when." in look.words
        await owner.post("/panel/language", {"language": "tr", "next": "/panel/"})
        turkish = await owner.post(f"{here}/look", {**CARDS, "f-4-number": ""})
        assert "1. adım: Ne kadar ya da ne zamana kadar, yazın." in turkish.words
        await owner.post("/panel/language", {"language": "en", "next": "/panel/"})
        assert "It can be turned on" in (await owner.post(f"{here}/look", CARDS)).words
        tried = await owner.post(f"{here}/try", {"contact": "ayşe"})
        assert "Ayşe Yılmaz" in tried.words
        assert "Nothing was sent or given" in tried.words
        assert "Nobody is found" in (await owner.post(f"{here}/try", {"contact": "zzz"})).words
        # Without a line it cannot go on, and says so.
        refused = await owner.post(here, {**CARDS, "act": "turn_on"})
        assert refused.status in (303, 409)
        if refused.status == 409:
            assert (await ask("POST", "/instances", {"kind": "sandbox"})).status == 201
            assert (await owner.post(here, {**CARDS, "act": "turn_on"})).status == 303
        assert (await ask("GET", "/automations")).json()["data"][0]["state"] == "on"
        listed = await owner.get("/panel/automations")
        assert (listed.status, "How was it? The meal is over" in listed.words) == (200, True)
        report = await owner.get(f"{here}/report")
        assert "0 of 0 answered" in report.words
        assert (await owner.post(f"{here}/ratings/nobody", {})).status == 409
        assert (await owner.post(here, {**CARDS, "act": "pause"})).status == 303
        assert (await owner.post(here, {"act": "archive"})).location.partition("?")[0] == "/panel/automations"
        assert "Save and turn on" not in (await owner.get(here)).words
        staff = await one.person("staff")
        assert (await staff.get("/panel/automations")).status == 403
