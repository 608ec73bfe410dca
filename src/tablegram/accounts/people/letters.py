"""What is written to people, in their language, and how it goes out without anybody waiting for it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from typing import Any

from tablegram.accounts.ports import Letter, Mail, MailFailed

log = logging.getLogger("tablegram.mail")

_TEXTS = {
    ("reset", "en"): (
        "Choose a new password for Tablegram",
        "Somebody, hopefully you, asked for a new Tablegram password for this address.\n\n"
        "Choose it here within an hour; the link works once:\n\n{link}\n\n"
        "If it was not you, do nothing: your password stays as it is.\n",
    ),
    ("reset", "tr"): (
        "Tablegram için yeni bir parola belirleyin",
        "Bu adres için yeni bir Tablegram parolası istendi; umarız isteyen sizsiniz.\n\n"
        "Parolanızı bir saat içinde buradan belirleyin; bağlantı bir kez çalışır:\n\n{link}\n\n"
        "İsteyen siz değilseniz bir şey yapmayın: parolanız olduğu gibi kalır.\n",
    ),
    ("invite", "en"): (
        "{by} invites you to {account} on Tablegram",
        "{by} has added you to the team of {account} on Tablegram.\n\n"
        "Accept within 7 days; the link works once:\n\n{link}\n",
    ),
    ("invite", "tr"): (
        "{by} sizi Tablegram'da {account} ekibine davet ediyor",
        "{by} sizi Tablegram'da {account} ekibine ekledi.\n\n"
        "7 gün içinde kabul edin; bağlantı bir kez çalışır:\n\n{link}\n",
    ),
}  # fmt: skip


def write_letter(kind: str, language: str, to: str, **values: str) -> Letter:
    subject, text = _TEXTS[(kind, "tr" if language == "tr" else "en")]
    one_line = {name: " ".join(value.split()) for name, value in values.items()}
    return Letter(to, subject.format(**one_line), text.format(**one_line))


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
