"""Notes of what waits, against a store that they are told of late: whoever waits is always noted."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tablegram.messaging.transmission.noted import Noted
from tests.long import many

PHONES = ("a", "b", "c")


class Notes(RuleBasedStateMachine):
    """Messages are noted, stored, refused, stored by others and done, in any order, while looks are under way."""

    def __init__(self) -> None:
        super().__init__()
        self.notes = Noted()
        self.made = 0
        self.storing: dict[str, str] = {}
        self.ours: dict[str, str] = {}
        self.strangers: dict[str, str] = {}
        # The looks under way: the number, and what the store held when it was read.
        self.looks: list[tuple[int, dict[str, str] | None]] = []
        self.known_strangers: set[str] = set()

    def key(self) -> str:
        self.made += 1
        return f"m{self.made}"

    @rule(phone=st.sampled_from(PHONES))
    def begins_to_store(self, phone: str) -> None:
        key = self.key()
        self.notes.storing(key, phone)
        self.storing[key] = phone

    @precondition(lambda self: self.storing)
    @rule(commits=st.booleans(), tells=st.booleans(), data=st.data())
    def is_stored(self, commits: bool, tells: bool, data: st.DataObject) -> None:
        key = data.draw(st.sampled_from(sorted(self.storing)))
        phone = self.storing.pop(key)
        if commits:
            self.ours[key] = phone
            self.notes.stored(key)
        elif tells:
            self.notes.gone(key)
        else:
            self.notes.stored(key)

    @rule(phone=st.sampled_from(PHONES))
    def another_process_stores(self, phone: str) -> None:
        self.strangers[self.key()] = phone

    @rule()
    def a_look_begins(self) -> None:
        self.looks.append((self.notes.look(), None))

    @precondition(lambda self: self.looks)
    @rule()
    def the_store_is_read(self) -> None:
        number, _ = self.looks[-1]
        self.looks[-1] = (number, {**self.ours, **self.strangers})

    @precondition(lambda self: self.looks and self.looks[-1][1] is not None)
    @rule()
    def a_look_ends(self) -> None:
        number, rows = self.looks.pop()
        assert rows is not None
        # What was done since it was read is not among what the drain takes from it.
        rows = {key: phone for key, phone in rows.items() if key in self.ours or key in self.strangers}
        newer = self.notes.seen(number, rows.items(), lambda _: False)
        self.known_strangers |= rows.keys() & self.strangers.keys()
        assert newer or not self.storing
        if (
            not self.looks
            and rows.keys() == self.ours.keys() | self.strangers.keys()
            and not self.storing
            and not newer
        ):
            assert len(self.notes) == len(rows), "nothing else is left"

    @precondition(lambda self: self.ours or self.known_strangers)
    @rule(data=st.data())
    def one_is_sent(self, data: st.DataObject) -> None:
        key = data.draw(st.sampled_from(sorted({*self.ours, *self.known_strangers})))
        self.ours.pop(key, None)
        self.strangers.pop(key, None)
        self.known_strangers.discard(key)
        self.notes.gone(key)

    @invariant()
    def who_waits_is_noted(self) -> None:
        for key, phone in {**self.ours, **self.storing}.items():
            assert phone in self.notes, key
        for key in self.known_strangers:
            assert self.strangers[key] in self.notes

    @invariant()
    def who_is_not_noted_by_any_message_is_free(self) -> None:
        if not len(self.notes):
            assert not any(phone in self.notes for phone in PHONES)


TestNotes = Notes.TestCase
TestNotes.settings = settings(max_examples=many(20, 60), stateful_step_count=30, deadline=None)


def test_a_message_of_somebody_who_is_busy_stays_noted() -> None:
    notes = Noted()
    notes.storing("m1", "a")
    notes.stored("m1")
    notes.seen(notes.look(), [], lambda phone: phone == "a")
    assert "a" in notes
    notes.seen(notes.look(), [], lambda _: False)
    assert "a" not in notes


def test_a_look_knows_nothing_of_what_is_stored_while_it_is_under_way() -> None:
    notes = Noted()
    for key in ("m1", "m2"):
        notes.storing(key, "a")
    number = notes.look()
    notes.stored("m1")
    assert notes.seen(number, [], lambda _: False), "it is worth another look"
    assert len(notes) == 2
    # The next look knows of the one that is stored; of the other nobody but us does.
    assert notes.seen(notes.look(), [], lambda _: False)
    assert (len(notes), notes.phones) == (1, {"a": 1})
    notes.stored("m2")
    notes.stored("never noted")
    assert not notes.seen(notes.look(), [("m3", "b")], lambda _: False)
    assert notes.phones == {"b": 1}
