"""Days and times that people read are written in one place, so that each language has its own."""

from __future__ import annotations

import re
from pathlib import Path

import tablegram

HOME = Path(tablegram.__file__).parent
# What writes a day or a time in the order and with the signs of one language.
BY_HAND = re.compile(r"%d[./-]%m|%m[./]%d|%H[:.]%M|%I[:.]%M")
WRITING = "values/figures/writing.py"
# Where no language decides how it is written, and why.
FORMATS = {
    "automations/timing.py": "compared with a time of day as it is stored",
    "cli/doctor/command.py": "read by who operates the server, beside logs, in UTC",
    "crm/consent/registry.py": "the columns of the registry's file",
    "crm/importing/checking.py": "read, not written: moments as spreadsheets have them",
    "panel/pages/inbox/notes.py": "the value of a form's field, which the browser shows in its own way",
    "panel/templates/integrations/webhooks/webhook.html": "the value of a form's field, likewise",
    "printagent/taking.py": "a program of its own that imports nothing of the gateway",
    "restaurant/menu/importing/workbooks.py": "a cell's time as the reader of menus takes it",
}


def test_no_day_and_no_time_is_written_by_hand() -> None:
    found = set()
    for path in (one for kind in ("*.py", "*.html") for one in HOME.rglob(kind)):
        if BY_HAND.search(path.read_text()):
            found.add(path.relative_to(HOME).as_posix())
    assert WRITING in found, "this test looks for what is there"
    found.remove(WRITING)
    assert found - FORMATS.keys() == set(), f"write days and times with {WRITING}, or say here why not"
    assert FORMATS.keys() - found == set(), "these write none any more"
