"""Coming in: by password and second factor, or by a link; and everything a person changes about their own way in.

Whatever is refused is refused in the same words and after the same work whether the address is known or not.
"""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.accounts import store as account_store
from tablegram.accounts.audit import Actor, Audit
from tablegram.accounts.naming import clean_name
from tablegram.accounts.people import store
from tablegram.accounts.people.devices import Devices
from tablegram.accounts.people.letters import Post, write_letter
from tablegram.accounts.people.links import Link, Links
from tablegram.accounts.people.model import Person, Session, person_of
from tablegram.accounts.people.passwords import Passwords, check_strength
from tablegram.accounts.people.register import Register
from tablegram.accounts.people.second_factor import SecondFactor
from tablegram.accounts.people.sessions import Sessions
from tablegram.accounts.people.throttle import Throttle, too_many
from tablegram.accounts.rows import PersonRow
from tablegram.accounts.team import clean_email
from tablegram.errors import Conflict, Gone, Invalid, Unauthorized
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock


@dataclass(frozen=True, slots=True)
class Origin:
    """Where somebody knocks from."""

    remote: str
    user_agent: str = ""
    # What the browser shows of an earlier visit (`devices.py`).
    device: str = ""


@dataclass(frozen=True, slots=True)
class Admitted:
    """The cookie to set, and whether the second factor is still to be shown; once it is not, the device is known."""

    token: str
    needs_second: bool
    device: str = ""


class Entrance:
    def __init__(
        self,
        db: Database,
        clock: Clock,
        register: Register,
        passwords: Passwords,
        second_factor: SecondFactor,
        sessions: Sessions,
        links: Links,
        throttle: Throttle,
        devices: Devices,
        audit: Audit,
        post: Post,
    ) -> None:
        self._db = db
        self._clock = clock
        self._register = register
        self._passwords = passwords
        self._second_factor = second_factor
        self._sessions = sessions
        self._links = links
        self._throttle = throttle
        self._devices = devices
        self._audit = audit
        self._post = post

    async def sign_in(self, email: str, password: str, origin: Origin) -> Admitted:
        """The first step. Raises `Unauthorized` with the same words for a wrong address and a wrong password."""
        address = email.strip().lower()[:254]
        device = self._devices.recognise(origin.device, address)
        made = self._throttle.begin_sign_in(address, origin.remote, device)
        row = await self._db.first(store.PERSON_BY_EMAIL, {"email": address})
        verdict = await self._passwords.check(None if row is None else row["password_hash"], password)
        fits = row is not None and verdict.fits
        if made.wait_s and not (fits and row is not None and row["totp_secret"] is not None):
            # After the same work and in the same words, whatever was shown.
            raise too_many(made.wait_s)
        if row is None or not fits:
            if row is not None:
                # Beside the answer: that something is written must not show in how long it takes.
                self._post.beside("note a refusal", self._note(row, "sign_in.refused", origin))
            raise Unauthorized("The e-mail address or the password is not right.", code="sign_in_refused")
        self._throttle.succeeded(made)
        if verdict.better_hash:
            change = {"which": row["id"], "old": row["password_hash"], "hash": verdict.better_hash}
            await self._db.put((store.REHASH_PASSWORD, change))
        return await self._admit(row, origin, "sign_in.done")

    async def show_second(self, token: str, code: str, origin: Origin) -> Admitted:
        """The second step. The cookie changes, so that one from before it is worth nothing afterwards."""
        session = await self._sessions.find(token)
        if session is None or session.passed_second:
            raise Unauthorized("Start again with your password: too much time has passed.", code="sign_in_expired")
        person = session.person
        device = self._devices.recognise(origin.device, person.email)
        made = self._throttle.begin(f"second {person.id}", origin.remote, device)
        if not await self._second_factor.accept(person.id, code):
            await self._note_person(person, "sign_in.refused", origin, {"step": "second_factor"})
            raise Invalid.field("code", "code_wrong", "This code does not fit, or it was used already.")
        self._throttle.succeeded(made)
        await self._sessions.close(token)
        fresh = await self._sessions.open(
            person.id, passed_second=True, remote=origin.remote, user_agent=origin.user_agent, proved=person
        )
        await self._note_person(person, "sign_in.done", origin, {"second_factor": True})
        return Admitted(fresh, needs_second=False, device=self._devices.remember(origin.device, person.email))

    async def sign_out(self, token: str, session: Session | None) -> None:
        await self._sessions.close(token)
        if session is not None:
            await self._note_person(session.person, "sign_in.ended", Origin(""))

    async def sign_out_everywhere(self, session: Session) -> None:
        """End every session of theirs, this one too."""
        await self._sessions.close_others(session.person.id)
        await self._note_person(session.person, "sign_in.ended")

    async def forgot(self, email: str, language: str, origin: Origin) -> None:
        """Send a link for a new password, if the address is known here. Nothing tells whether it is."""
        address = clean_email(email)
        name = f"forgot {address}"
        # Each letter counts, or a stranger could fill somebody's mailbox.
        self._throttle.begin(name, origin.remote)
        if self._post.works:
            # Beside the answer: a link that is made and a letter that is written must not show in how long it takes.
            self._post.beside("write a letter", self._send_reset(address, language, origin))

    async def _send_reset(self, address: str, language: str, origin: Origin) -> None:
        row = await self._db.first(store.PERSON_BY_EMAIL, {"email": address})
        if row is None:
            return
        link = await self._links.make("reset", address, by="forgot")
        self._post.send_soon(write_letter("reset", row["language"] or language, address, link=link))
        await self._note(row, "password.reset_asked", origin)

    async def look_at(self, token: str) -> tuple[Link, Person | None]:
        """What a link is for, and who is meant if they are known already. Nothing is spent."""
        link = await self._links.look(token)
        return link, await self._register.find(link.email)

    async def account_name(self, account_id: int | None) -> str:
        """What the account behind a link is called, for who holds the link."""
        row = None if account_id is None else await self._db.first(account_store.ACCOUNT_BY_ID, {"id": account_id})
        return "" if row is None else row["name"]

    async def accept(self, token: str, name: str, password: str, language: str, origin: Origin) -> Admitted:
        """Use a link: the first one or an invitation of somebody new, or one for a new password."""
        link, known = await self.look_at(token)
        if link.purpose == "invite" and known is not None:
            _check_newcomer(known)
        shown = clean_name(name or (known.name if known else ""), "name")
        check_strength(password, link.email, shown)
        hashed = await self._passwords.hash(password)
        now = self._clock.now_ms()

        async def work(tx: Tx) -> PersonRow:
            used = await self._links.use(tx, token)
            row = await self._register.enter(tx, used.email, shown, language)
            if used.purpose == "invite":
                _check_newcomer(person_of(row))
            await tx.run(store.SET_PASSWORD, {"which": row["id"], "hash": hashed, "now": now})
            await tx.run(store.SET_NAME, {"which": row["id"], "name": shown})
            await tx.run(store.DELETE_OTHERS, {"person": row["id"], "but": ""})
            await self._join(tx, used, row, shown)
            held = await tx.first(store.LOCK_PERSON, {"id": row["id"]})
            assert held is not None
            return held

        row = await self._db.write(work)
        self._sessions.forget(row["id"])
        self._throttle.forgive(link.email, origin.remote)
        action = "password.reset" if link.purpose == "reset" else "member.accepted"
        return await self._admit(row, origin, action, link.account_id or 0)

    async def join(self, token: str, session: Session) -> int:
        """Accept an invitation as somebody who is signed in; returns the account joined."""
        person = session.person

        async def work(tx: Tx) -> Link:
            used = await self._links.use(tx, token)
            if used.email != person.email or used.account_id is None:
                raise Conflict(
                    f"This invitation is for {used.email}. Sign in as that person to accept it.", code="link_not_yours"
                )
            row = await tx.first(store.LOCK_PERSON, {"id": person.id})
            assert row is not None
            await self._join(tx, used, row, person.name)
            return used

        used = await self._db.write(work)
        self._sessions.forget(person.id)
        assert used.account_id is not None
        await self._audit.note(
            Actor("person", person.id, person.shown_name), "member.accepted", "person", person.id,
            {"email": person.email}, account_id=used.account_id,
        )  # fmt: skip
        return used.account_id

    async def change_password(self, session: Session, token: str, present: str, wanted: str, origin: Origin) -> None:
        """A new password ends every other session."""
        person = session.person
        await self.confirm(person, present, origin)
        check_strength(wanted, person.email, person.name, "new_password")
        if wanted == present:
            raise Invalid.field("new_password", "password_same", "This is the password you have. Choose another.")
        hashed = await self._passwords.hash(wanted)
        change = {"which": person.id, "hash": hashed, "now": self._clock.now_ms()}
        await self._db.put((store.SET_PASSWORD, change))
        await self._sessions.close_others(person.id, token)
        await self._note_person(person, "password.changed", origin)

    async def confirm(self, person: Person, password: str, origin: Origin, field: str = "password") -> None:
        """Ask for the password again before something that an open browser must not be enough for."""
        # Only who is signed in as this person gets here, so that nobody outside uses up these tries.
        made = self._throttle.begin(f"confirm {person.id}", origin.remote)
        row = await self._db.first(store.PERSON, {"id": person.id})
        verdict = await self._passwords.check(None if row is None else row["password_hash"], password)
        if not verdict.fits:
            raise Invalid.field(field, "password_wrong", "This is not your present password.")
        self._throttle.succeeded(made)

    async def enable_second_factor(
        self, session: Session, token: str, ticket: str, code: str, password: str, origin: Origin
    ) -> list[str]:
        """Returns the recovery codes. Every other session ends: it was opened with less.

        Whoever finds an open browser could otherwise shut its owner out with a phone of their own.
        """
        await self.confirm(session.person, password, origin)
        codes = await self._second_factor.enable(session.person, ticket, code)
        await self._sessions.close_others(session.person.id, token)
        await self._note_person(session.person, "second_factor.enabled", origin)
        return codes

    async def disable_second_factor(self, session: Session, password: str, origin: Origin) -> None:
        await self.confirm(session.person, password, origin)
        await self._second_factor.disable(session.person.id)
        self._sessions.forget(session.person.id)
        await self._note_person(session.person, "second_factor.disabled", origin)

    async def renew_codes(self, session: Session, password: str, origin: Origin) -> list[str]:
        await self.confirm(session.person, password, origin)
        if not session.person.has_second_factor:
            raise Conflict("Switch the second factor on first.", code="second_factor_off")
        codes = await self._second_factor.renew_codes(session.person.id)
        await self._note_person(session.person, "second_factor.codes_renewed", origin)
        return codes

    async def _join(self, tx: Tx, link: Link, person: PersonRow, name: str) -> None:
        """Let the person be the member that the link was made for."""
        if link.account_id is None:
            return
        change = {"account": link.account_id, "which": link.email, "person": person["id"], "name": name}
        if link.purpose == "invite" and await tx.run(store.JOIN, change) != 1:
            raise Gone("This invitation was taken back. Ask for a new one.", code="link_used")
        if link.purpose == "owner":
            await tx.run(store.JOIN, change)

    async def _admit(self, row: PersonRow, origin: Origin, action: str, account_id: int = 0) -> Admitted:
        if not row["is_operator"] and not await self._db.all(store.MEMBERSHIPS, {"person_id": row["id"]}):
            raise Unauthorized(
                "You are not a member of any account here any more. Ask an owner to invite you.", code="no_account"
            )
        needs_second = row["totp_secret"] is not None
        token = await self._sessions.open(
            row["id"], passed_second=not needs_second, remote=origin.remote, user_agent=origin.user_agent,
            account_id=account_id, proved=person_of(row),
        )  # fmt: skip
        if not needs_second or action != "sign_in.done":
            await self._note(row, action, origin)
        return Admitted(
            token, needs_second, "" if needs_second else self._devices.remember(origin.device, row["email"])
        )

    async def _note(self, row: PersonRow, action: str, origin: Origin) -> None:
        await self._note_person(person_of(row), action, origin)

    async def _note_person(
        self, person: Person, action: str, origin: Origin | None = None, detail: dict[str, object] | None = None
    ) -> None:
        """In every account of theirs: each owner sees what happens to the people who can reach it."""
        rows = await self._db.all(store.MEMBERSHIPS, {"person_id": person.id})
        told = {"email": person.email, **(detail or {})}
        remote = origin.remote if origin is not None and origin.remote else None
        entries = [
            self._audit.acting(
                Actor("person", row["id"], person.shown_name), row["account_id"], remote
            ).entry(action, "person", person.id, told)
            for row in rows
        ]  # fmt: skip
        if entries:
            await self._db.put(*entries)


def _check_newcomer(person: Person) -> None:
    """Whoever sends an invitation knows its link: it must not choose the password of somebody who is here already."""
    if person.has_password or person.is_operator:
        raise Conflict("You have a password here already: sign in with it to accept.", code="sign_in_first")
