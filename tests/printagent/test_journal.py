"""What the agent has begun and not told survives a power cut, whatever the cut left of the file."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tablegram.printagent.journal import Entry, Journal

STEPS = st.lists(
    st.tuples(st.sampled_from(("begin", "printed", "failed", "forget")), st.sampled_from("abc")), max_size=30
)


@given(STEPS, st.integers(0, 400), st.binary(max_size=20))
def test_a_torn_journal_forgets_at_most_what_was_being_written(
    tmp_path_factory: object, steps: list[tuple[str, str]], cut: int, rubbish: bytes
) -> None:
    path = _fresh(tmp_path_factory)
    journal = Journal(path)
    known: dict[str, Entry] = {}
    history = [dict(known)]
    for fence, (step, job) in enumerate(steps):
        if step == "begin":
            journal.begin(job, fence)
            known[job] = Entry(job, fence)
        elif step == "forget":
            if job not in known:
                continue
            journal.forget(job)
            del known[job]
        else:
            journal.end(Entry(job, fence, step, "x", step == "failed"))
            known[job] = Entry(job, fence, step, "x", step == "failed")
        history.append(dict(known))
    journal.close()
    assert journal.entries == known
    whole = path.read_bytes()
    # As it is, again and again.
    for _ in range(2):
        again = Journal(path)
        again.close()
        assert again.entries == known
    # Torn at any byte, with rubbish where the rest was: what stood there at one moment before.
    path.write_bytes(whole[: min(cut, len(whole))] + rubbish.replace(b"{", b""))
    torn = Journal(path)
    assert torn.entries in history
    torn.begin("z", 1)
    torn.close()
    last = Journal(path)
    last.close()
    assert last.entries["z"] == Entry("z", 1)


def _fresh(factory: object) -> Path:
    path: Path = factory.mktemp("journal") / "journal"  # type: ignore[attr-defined]
    return path
