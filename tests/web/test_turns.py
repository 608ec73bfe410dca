"""Scripts of pages: of several answers that are on their way, only that to the last question is believed."""

from __future__ import annotations

import subprocess

from playwright._impl._driver import compute_driver_executable

from tablegram.web import STATIC

ASKING = """
import { turns } from "%s";
const [ask, other] = [turns(), turns()];
const first = ask();
const alone = first();
const second = ask();
other();
console.log([alone, first(), second(), first(), second()].join(" "));
"""


def test_only_the_answer_to_the_last_question_is_believed() -> None:
    # The browser tests bring a program that runs modules.
    node = compute_driver_executable()[0]
    script = ASKING % (STATIC / "turns.js").as_uri()
    done = subprocess.run([node, "--input-type=module", "-e", script], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.returncode) == ("true false true false true", 0), done.stderr
