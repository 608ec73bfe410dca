"""Letters by SMTP, in a thread: they are few, and the standard library knows the protocol well."""

from __future__ import annotations

import asyncio
import smtplib
import ssl
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from urllib.parse import unquote, urlsplit

from tablegram.accounts.ports import Letter, MailFailed

TIMEOUT_S = 20.0


class SmtpMail:
    """`smtps://` speaks TLS from the first byte; `smtp://` changes to it where the server offers that.

    A password never goes over an unencrypted line.
    """

    def __init__(self, url: str, sender: str) -> None:
        parts = urlsplit(url)
        self._implicit_tls = parts.scheme == "smtps"
        self._host = parts.hostname or ""
        self._port = parts.port or (465 if self._implicit_tls else 587)
        self._user = unquote(parts.username or "")
        self._password = unquote(parts.password or "")
        self._sender = sender

    async def send(self, letter: Letter) -> None:
        try:
            await asyncio.to_thread(self._send, self._written(letter))
        except (smtplib.SMTPException, OSError, ValueError) as error:
            raise MailFailed(f"{self._host}:{self._port}: {error}") from error

    def _written(self, letter: Letter) -> EmailMessage:
        message = EmailMessage()
        message["From"] = self._sender
        message["To"] = letter.to
        message["Subject"] = letter.subject
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(domain=parseaddr(self._sender)[1].rpartition("@")[2] or None)
        # Nobody's holiday notice should answer a link.
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(letter.text)
        return message

    def _send(self, message: EmailMessage) -> None:
        with self._connect() as server:
            if self._user:
                server.login(self._user, self._password)
            server.send_message(message)

    def _connect(self) -> smtplib.SMTP:
        context = ssl.create_default_context()
        if self._implicit_tls:
            return smtplib.SMTP_SSL(self._host, self._port, timeout=TIMEOUT_S, context=context)
        server = smtplib.SMTP(self._host, self._port, timeout=TIMEOUT_S)
        try:
            server.ehlo()
            if server.has_extn("starttls"):
                server.starttls(context=context)
                server.ehlo()
            elif self._user:
                raise smtplib.SMTPException("the server offers no encryption, so the password was not sent")
        except BaseException:
            server.close()
            raise
        return server
