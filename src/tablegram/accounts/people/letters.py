"""What is written to people, in their language, and how it goes out without anybody waiting for it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from typing import Any

from tablegram.accounts.ports import Letter, Mail, MailFailed
from tablegram.values.words import Words

log = logging.getLogger("tablegram.mail")

_WORDS = Words(__file__)


def write_letter(kind: str, language: str, to: str, **values: str) -> Letter:
    words = _WORDS.of(language)
    one_line = {name: " ".join(value.split()) for name, value in values.items()}
    return Letter(to, words[f"{kind}.subject"].format(**one_line), words[f"{kind}.text"].format(**one_line))


class Post:
    """The way out for letters. Without mail settings there is none, and links are shown instead."""

    def __init__(self, mail: Mail | None, spawn: Callable[[str, Coroutine[Any, Any, None]], object]) -> None:
        self._mail = mail
        self._spawn = spawn

    @property
    def works(self) -> bool:
        return self._mail is not None

    def send_soon(self, letter: Letter) -> bool:
        """Send beside the request: how long the mail server takes must not tell whether an address is known."""
        if self._mail is None:
            return False
        self._spawn("send a letter", self._send(self._mail, letter))
        return True

    def beside(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Do something about a letter, or about who asked for one, that nobody is to wait for."""
        self._spawn(name, work)

    async def _send(self, mail: Mail, letter: Letter) -> None:
        try:
            await mail.send(letter)
        except MailFailed as error:
            log.warning("a letter was not sent: %s", error)
