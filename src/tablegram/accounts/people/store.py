"""The SQL of people, their sessions, codes and links."""

from __future__ import annotations

from sqlalchemy import BigInteger, and_, bindparam, delete, or_, select, update

from tablegram.accounts.rows import CodeRow, LinkRow, MemberRow, PersonRow, SecretRow, SessionRow
from tablegram.storage.query import Query, columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import members, panel_links, panel_sessions, people, recovery_codes

# People. They belong to the installation: one may be a member of several accounts.

INSERT_PERSON = Query(
    lambda insert: (
        insert(people)
        .values(columns(people, "id", "email", "name", "language", "created_at"))
        .on_conflict_do_nothing(index_elements=["email"])
    )
)
PERSON_BY_EMAIL = Query(select(people).where(people.c.email == bindparam("email")), row=PersonRow)
PERSON = Query(select(people).where(people.c.id == bindparam("id")), row=PersonRow)
LOCK_PERSON = Query(select(people).where(people.c.id == bindparam("id")).with_for_update(), row=PersonRow)
OPERATORS = Query(select(people).where(people.c.is_operator == 1).order_by(people.c.email), row=PersonRow)
SET_NAME = Query(update(people).where(people.c.id == bindparam("which")).values(name=bindparam("name")))
SET_LANGUAGE = Query(update(people).where(people.c.id == bindparam("which")).values(language=bindparam("language")))
SET_OPERATOR = Query(update(people).where(people.c.id == bindparam("which")).values(is_operator=bindparam("flag")))
SET_PASSWORD = Query(
    update(people)
    .where(people.c.id == bindparam("which"))
    .values(password_hash=bindparam("hash"), password_changed_at=bindparam("now", type_=BigInteger))
)
# Only while it is still the one that was checked: a change meanwhile must not be undone.
REHASH_PASSWORD = Query(
    update(people)
    .where(people.c.id == bindparam("which"), people.c.password_hash == bindparam("old"))
    .values(password_hash=bindparam("hash"))
)

# Where a person is a member.

MEMBERSHIPS = Query(
    across_accounts(
        select(members).where(members.c.person_id == bindparam("person_id")).order_by(members.c.account_id),
        "a person is told which accounts are theirs",
    ),
    row=MemberRow,
)
MEMBERS_BY_EMAIL = Query(
    across_accounts(
        select(members).where(members.c.email == bindparam("email")).order_by(members.c.account_id),
        "the operator makes a link for a person, whatever account they are in",
    ),
    row=MemberRow,
)
JOIN = Query(
    update(members)
    .where(
        members.c.account_id == bindparam("account"),
        members.c.email == bindparam("which"),
        members.c.person_id.is_(None),
    )
    .values(person_id=bindparam("person"), name=bindparam("name"))
)
RENAME_MEMBERS = Query(
    across_accounts(
        update(members).where(members.c.person_id == bindparam("person")).values(name=bindparam("name")),
        "a person has one name in all their accounts",
    )
)

# Second factor.

SET_TOTP = Query(
    update(people)
    .where(people.c.id == bindparam("which"))
    .values(totp_secret=bindparam("secret"), totp_step=bindparam("step", type_=BigInteger))
)
# The condition and the change are one statement: a code is used once, however many try at the same moment.
USE_STEP = Query(
    update(people)
    .where(people.c.id == bindparam("which"), people.c.totp_step < bindparam("step", type_=BigInteger))
    .values(totp_step=bindparam("step", type_=BigInteger))
)
WITH_TOTP = Query(select(people.c.id, people.c.totp_secret).where(people.c.totp_secret.is_not(None)), row=SecretRow)
# Only while it is still the one that was read.
RESEAL_TOTP = Query(
    update(people)
    .where(people.c.id == bindparam("which"), people.c.totp_secret == bindparam("old"))
    .values(totp_secret=bindparam("secret"))
)
FORGET_CODES = Query(delete(recovery_codes).where(recovery_codes.c.person_id == bindparam("which")))
ADD_CODE = Query(lambda insert: insert(recovery_codes).values(columns(recovery_codes, "person_id", "hash")))
USE_CODE = Query(
    update(recovery_codes)
    .where(
        recovery_codes.c.person_id == bindparam("which"),
        or_(recovery_codes.c.hash == bindparam("hash"), recovery_codes.c.hash == bindparam("previous_hash")),
        recovery_codes.c.used_at.is_(None),
    )
    .values(used_at=bindparam("now", type_=BigInteger))
)
UNUSED_CODES = Query(
    select(recovery_codes.c.hash).where(
        recovery_codes.c.person_id == bindparam("which"), recovery_codes.c.used_at.is_(None)
    ),
    row=CodeRow,
)

# Sessions. They are a person's; the account in them is only the one they look at.

_OWN = "a session is found by its token, and belongs to a person"
INSERT_SESSION = Query(lambda insert: insert(panel_sessions).values(columns(panel_sessions)))
SESSION = Query(
    across_accounts(
        select(panel_sessions).where(
            or_(
                panel_sessions.c.token_hash == bindparam("hash"),
                panel_sessions.c.token_hash == bindparam("previous_hash"),
            ),
            panel_sessions.c.expires_at > bindparam("now", type_=BigInteger),
        ),
        _OWN,
    ),
    row=SessionRow,
)
TOUCH_SESSION = Query(
    across_accounts(
        update(panel_sessions)
        .where(panel_sessions.c.token_hash == bindparam("which"))
        .values(last_seen_at=bindparam("now", type_=BigInteger), expires_at=bindparam("until", type_=BigInteger)),
        _OWN,
    )
)
SWITCH_ACCOUNT = Query(
    across_accounts(
        update(panel_sessions)
        .where(panel_sessions.c.token_hash == bindparam("which"))
        .values(account_id=bindparam("account", type_=BigInteger), member_id=bindparam("member")),
        _OWN,
    )
)
DELETE_SESSION = Query(
    across_accounts(delete(panel_sessions).where(panel_sessions.c.token_hash == bindparam("which")), _OWN)
)
SESSIONS_OF = Query(
    across_accounts(
        select(panel_sessions)
        .where(
            panel_sessions.c.person_id == bindparam("person_id"),
            panel_sessions.c.expires_at > bindparam("now", type_=BigInteger),
            panel_sessions.c.passed_second == 1,
        )
        .order_by(panel_sessions.c.last_seen_at.desc()),
        _OWN,
    ),
    row=SessionRow,
)
DELETE_OTHERS = Query(
    across_accounts(
        delete(panel_sessions).where(
            panel_sessions.c.person_id == bindparam("person"), panel_sessions.c.token_hash != bindparam("but")
        ),
        _OWN,
    )
)
EXPIRED_SESSIONS = Query(
    across_accounts(
        delete(panel_sessions).where(panel_sessions.c.expires_at <= bindparam("now", type_=BigInteger)),
        "retention is the installation's",
    )
)

# Links.

_LINK = "a link is found by its token, which names its account"
INSERT_LINK = Query(
    lambda insert: insert(panel_links).values(
        columns(
            panel_links,
            "token_hash",
            "purpose",
            "account_id",
            "email",
            "role",
            "expires_at",
            "created_at",
            "created_by",
        )
    )
)
_this_link = or_(panel_links.c.token_hash == bindparam("hash"), panel_links.c.token_hash == bindparam("previous_hash"))
LINK = Query(across_accounts(select(panel_links).where(_this_link), _LINK), row=LinkRow)
USE_LINK = Query(
    across_accounts(
        update(panel_links)
        .where(
            _this_link, panel_links.c.used_at.is_(None), panel_links.c.expires_at > bindparam("now", type_=BigInteger)
        )
        .values(used_at=bindparam("now", type_=BigInteger)),
        _LINK,
    )
)
# Once a password was chosen, no other link may choose it again.
END_PASSWORD_LINKS = Query(
    across_accounts(
        update(panel_links)
        .where(
            panel_links.c.email == bindparam("who"),
            panel_links.c.purpose.in_(["owner", "reset"]),
            panel_links.c.used_at.is_(None),
        )
        .values(used_at=bindparam("now", type_=BigInteger)),
        "a person's password is their own, in every account",
    )
)
END_INVITES = Query(
    update(panel_links)
    .where(
        and_(
            panel_links.c.account_id == bindparam("account"),
            panel_links.c.email == bindparam("who"),
            panel_links.c.used_at.is_(None),
        )
    )
    .values(used_at=bindparam("now", type_=BigInteger))
)
FORGET_LINKS = Query(
    across_accounts(
        delete(panel_links).where(panel_links.c.expires_at < bindparam("before", type_=BigInteger)),
        "retention is the installation's",
    )
)
