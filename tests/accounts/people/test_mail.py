"""Letters over a real connection."""

from __future__ import annotations

import pytest

from tablegram.accounts.people.letters import Post, write_letter
from tablegram.accounts.people.smtp import SmtpMail
from tablegram.accounts.ports import Letter, MailFailed
from tests.accounts.people.letterbox import letterbox

SENDER = "Tablegram <desk@example.com>"


async def test_a_letter_arrives_whole_in_any_language() -> None:
    with letterbox() as box:
        letter = write_letter(
            "invite", "tr", "ayse@example.com", by="Şükrü", account="Işık Lokantası", link="http://x/y"
        )
        await SmtpMail(box.url, SENDER).send(letter)
        (kept,) = box.letters
    assert kept["Subject"] == "Şükrü sizi Tablegram'da Işık Lokantası ekibine davet ediyor"
    assert (kept["From"], kept["To"]) == (SENDER, "ayse@example.com")
    assert "http://x/y" in kept.get_content()
    assert kept["Message-ID"].endswith("@example.com>")


async def test_a_name_cannot_add_lines_to_the_head_of_a_letter() -> None:
    with letterbox() as box:
        letter = write_letter("invite", "en", "a@example.com", by="Ada\r\nBcc: all@example.com", account="x", link="y")
        await SmtpMail(box.url, SENDER).send(letter)
        (kept,) = box.letters
        assert kept["Bcc"] is None
        with pytest.raises(MailFailed):
            await SmtpMail(box.url, SENDER).send(Letter("a@example.com\r\nBcc: all@example.com", "s", "t"))
        assert len(box.letters) == 1


async def test_a_refusal_or_a_dead_server_is_told() -> None:
    with letterbox() as box:
        box.refused.add("nobody@example.com")
        with pytest.raises(MailFailed, match="nobody"):
            await SmtpMail(box.url, SENDER).send(Letter("nobody@example.com", "s", "t"))
        gone = box.url
    with pytest.raises(MailFailed):
        await SmtpMail(gone, SENDER).send(Letter("a@example.com", "s", "t"))


async def test_a_password_never_goes_over_an_unencrypted_line() -> None:
    with letterbox() as box:
        with pytest.raises(MailFailed, match="no encryption"):
            await SmtpMail(f"smtp://user:hunter2@127.0.0.1:{box.port}", SENDER).send(Letter("a@example.com", "s", "t"))
        assert not any("hunter2" in command or "AUTH" in command for command in box.commands)


async def test_without_a_server_nothing_is_sent_and_that_is_known() -> None:
    post = Post(None, lambda *_: None)
    assert not post.works
    assert not post.send_soon(Letter("a@example.com", "s", "t"))
