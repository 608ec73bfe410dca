"""The SQL of media. Every change of state is a compare-and-set: what was erased meanwhile stays erased."""

from __future__ import annotations

from sqlalchemy import BigInteger, and_, bindparam, delete, func, insert, literal_column, null, select, update

from tablegram.engine.rows import Backlog
from tablegram.media.rows import LineRow, MediaRow, PlaceRow, WithId
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import media

c = media.c
# Part of the text and not a parameter: only so can a statement be seen to fit the index of what is wanted.
_IS_WANTED = c.state == literal_column("'wanted'")
_ONE = and_(c.account_id == bindparam("b_account"), c.id == bindparam("b_id"))
_WANTED = and_(_ONE, _IS_WANTED)
# See `media.files.LASTING`.
_IS_OF_A_MESSAGE = c.message_key != "lasting"
_ENGINE = "the engine works for every account"
_RETENTION = "retention is the installation's"

INSERT = Query(
    insert(media).values(
        columns(
            media,
            "account_id", "id", "message_key", "instance_id", "event_id", "kind", "network_media_id", "state",
            "mime_type", "filename", "sha256", "due_at", "created_at",
        )
    )
)  # fmt: skip
# A file that the account itself sends: uploaded, and once more for each message that shares it.
INSERT_UPLOADED = Query(
    insert(media).values(
        columns(
            media,
            "account_id", "id", "message_key", "instance_id", "event_id", "kind", "network_media_id", "state",
            "mime_type", "filename", "sha256", "size", "path", "created_at", "kept_at",
        )
    )
)  # fmt: skip
ATTACH = Query(update(media).where(_ONE, c.message_key == "").values(message_key=bindparam("new_key")))
# Nothing sends it any more: it goes as what was uploaded and never sent.
RELEASE = Query(
    update(media).where(_ONE, c.message_key == "lasting").values(message_key="", created_at=bindparam("now"))
)
GET = Query(select(media).where(_ONE), row=MediaRow)
OF_MESSAGE = Query(
    select(media).where(c.account_id == bindparam("account_id"), c.message_key == bindparam("message_key")),
    row=MediaRow,
)

# The queue: which lines have something to fetch and since when, then what is due of one of them.
LINES_WITH_WORK = Query(
    across_accounts(
        select(c.account_id, c.instance_id, func.min(c.due_at).label("at"), func.max(c.due_at).label("last"))
        .where(_IS_WANTED)
        .group_by(c.account_id, c.instance_id),
        _ENGINE,
    ),
    row=LineRow,
)
# The clock was set back since they were put there.
DUE_AGAIN = Query(
    update(media)
    .where(
        c.account_id == bindparam("b_account"),
        c.instance_id == bindparam("b_instance"),
        _IS_WANTED,
        c.due_at > bindparam("latest", type_=BigInteger),
    )
    .values(due_at=bindparam("now", type_=BigInteger))
)
WAITING = Query(
    across_accounts(select(func.count().label("n"), func.min(c.due_at).label("oldest")).where(_IS_WANTED), _ENGINE),
    row=Backlog,
)
DUE = Query(
    select(media)
    .where(
        c.account_id == bindparam("account_id"),
        c.instance_id == bindparam("instance_id"),
        _IS_WANTED,
        c.due_at <= bindparam("now"),
    )
    .order_by(c.due_at, c.id)
    .limit(bindparam("most")),
    row=MediaRow,
)
KEPT = Query(
    update(media)
    .where(_WANTED)
    .values(
        state="kept", path=bindparam("path"), size=bindparam("size"), sha256=bindparam("sha256"),
        mime_type=bindparam("mime_type"), claimed_type=bindparam("claimed_type"), kept_at=bindparam("now"),
        attempts=c.attempts + 1, due_at=null(), error_code=null(), error_detail=null(),
    )
)  # fmt: skip
POSTPONED = Query(
    update(media)
    .where(_WANTED)
    .values(
        attempts=c.attempts + bindparam("counted"), due_at=bindparam("next_at"), error_code=bindparam("code"),
        error_detail=bindparam("detail"),
    )
)  # fmt: skip
FAILED = Query(
    update(media)
    .where(_WANTED)
    .values(
        state="failed", attempts=c.attempts + 1, due_at=null(), error_code=bindparam("code"),
        error_detail=bindparam("detail"),
    )
)  # fmt: skip

# Forgetting.
SHARED = Query(
    select(c.id)
    .where(
        c.account_id == bindparam("b_account"), c.path == bindparam("b_path"), c.path.is_not(None),
        c.id != bindparam("b_id"),
    )
    .limit(1),
    row=WithId,
)  # fmt: skip
GONE_WITH = Query(
    update(media)
    .where(c.account_id == bindparam("b_account"), c.path == bindparam("b_path"), c.path.is_not(None))
    .values(state="gone", path=null())
)
DELETE = Query(delete(media).where(_ONE))
GONE = Query(update(media).where(_ONE, c.state == "kept").values(state="gone", path=null()))
OLD_FILES = Query(
    across_accounts(
        select(c.account_id, c.id, c.path)
        .where(c.state == "kept", c.created_at < bindparam("before"), _IS_OF_A_MESSAGE)
        .limit(bindparam("most")),
        _RETENTION,
    ),
    row=PlaceRow,
)
UNSENT = Query(
    across_accounts(
        select(c.account_id, c.id, c.path)
        .where(c.message_key == "", c.created_at < bindparam("before"))
        .limit(bindparam("most")),
        _RETENTION,
    ),
    row=PlaceRow,
)
OLD_ROWS_OF = Query(
    select(c.account_id, c.id, c.path)
    .where(
        c.account_id == bindparam("b_account"),
        c.state != "wanted",
        c.created_at < bindparam("before"),
        _IS_OF_A_MESSAGE,
    )
    .limit(bindparam("most")),
    row=PlaceRow,
)
OLD_ROWS = Query(
    across_accounts(
        select(c.account_id, c.id, c.path)
        .where(c.state != "wanted", c.created_at < bindparam("before"), _IS_OF_A_MESSAGE)
        .limit(bindparam("most")),
        _RETENTION,
    ),
    row=PlaceRow,
)
