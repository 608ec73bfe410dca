"""Which messages wait for a line's drain, as far as this process knows: nobody who comes later overtakes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

# In the place of the look before which a message was stored: it is not stored yet.
_STORING = None


class Noted:
    """Messages by their keys, and how many each recipient has.

    A look at the store corrects the notes. It cannot know of a message that was stored while it was under way, so
    each note remembers the look that was the last one when its message was stored.
    """

    def __init__(self) -> None:
        self._messages: dict[str, tuple[str, int | None]] = {}
        # Recipients with how many messages of theirs wait. Each send looks here.
        self.phones: dict[str, int] = {}
        self._looks = 0

    def __contains__(self, phone: object) -> bool:
        return phone in self.phones

    def __len__(self) -> int:
        return len(self._messages)

    def storing(self, key: str, phone: str) -> None:
        """A message is about to be stored."""
        self._put(key, phone, _STORING)

    def stored(self, key: str) -> None:
        """It is stored, or will not be: from now on a look knows better."""
        if key in self._messages:
            self._messages[key] = (self._messages[key][0], self._looks)

    def gone(self, key: str) -> None:
        """It waits no more, or never did."""
        phone, _ = self._messages.pop(key, ("", None))
        left = self.phones.get(phone, 0) - 1
        if left > 0:
            self.phones[phone] = left
        else:
            self.phones.pop(phone, None)

    def clear(self) -> None:
        self._messages.clear()
        self.phones.clear()

    def look(self) -> int:
        """A look at the store begins; returns its number."""
        self._looks += 1
        return self._looks

    def seen(self, look: int, waiting: Iterable[tuple[str, str]], is_busy: Callable[[str], bool]) -> bool:
        """What a look found: keys and recipients of *all* messages that were due.

        Notes that it could have found and did not are dropped, unless their recipient is busy and they may be due
        later. Returns whether any was made while it was under way.
        """
        found = dict(waiting)
        missing = [
            key
            for key, (phone, since) in self._messages.items()
            if since is not _STORING and since < look and key not in found and not is_busy(phone)
        ]
        for key in missing:
            self.gone(key)
        newer = any(since is _STORING or since >= look for _, since in self._messages.values())
        for key, phone in found.items():
            if key not in self._messages:
                self._put(key, phone, look)
        return newer

    def _put(self, key: str, phone: str, since: int | None) -> None:
        if key not in self._messages:
            self.phones[phone] = self.phones.get(phone, 0) + 1
        self._messages[key] = (phone, since)
