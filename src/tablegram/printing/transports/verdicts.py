"""What a printer's answer means for its job, whatever protocol it came in."""

from __future__ import annotations

from typing import NamedTuple


class Verdict(NamedTuple):
    """`code` is empty for what is on paper. `doubt`: some of it may be."""

    printed: bool
    code: str = ""
    retry: bool = True
    doubt: bool = False
    # The printer cannot read what it was given; in another form it may.
    other_form: bool = False


PRINTED = Verdict(True)
