"""Every error that a caller can be told of, as one closed tree. Edges render it; nobody else adds to it.

    Problem                     status, stable code, plain words          does the same request, sent again, help?
    ├── Malformed          400  this is not a request that can be read
    ├── Unauthorized       401
    ├── QuotaExhausted     402
    ├── ScopeMissing       403
    ├── Forbidden          403  a guest shows what does not let them in
    │   └── FormRefused    403  a form without the proof that it is ours
    ├── NotFound           404
    ├── MethodNotAllowed   405  `headers` has Allow
    ├── TooSlow            408  the request did not come in time                       yes
    ├── Conflict           409
    ├── Gone               410  it was here, or should have been
    ├── BodyTooLarge       413
    │   └── TooManyFields  413  small, but of far too many parts
    ├── WrongContentType   415
    ├── Invalid            422  one or more fields are wrong; `errors` names each
    ├── Refused            422  the network said no for good
    ├── TooMany            429  `retry_after_s` is set                                 yes
    ├── HeadTooLarge       431
    ├── Internal           500  a bug of ours; the log has the rest                    yes
    ├── Unavailable        503  storage is down; `retry_after_s` is set                yes
    ├── StorageFull        507  the disk has no room left                              yes
    └── LeaseLost          503  another process has taken over what this one did       yes
    Misconfigured               the program refuses to start; the text says what to set
    Unscoped                    a statement on an account's table without its account: a bug of ours

Programs read `code`; people read `detail`, which says what happened and what to do. Exceptions that are defined
elsewhere never reach a caller: they are words between two modules of ours, or the network's own wire format.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FieldError:
    """One wrong field: where it is, a stable code, and how to put it right."""

    field: str
    code: str
    detail: str


def no_such(thing: str, inside: str = "account") -> str:
    """What a caller reads of a thing that is not there, in the words of people: one wording for all of them."""
    return f"There is no such {thing} in this {inside}."


class Problem(Exception):
    """An answer other than success, in the terms of RFC 9457."""

    status = 500
    title = "Internal error"
    code = "internal_error"
    # Whether the same request, sent again a little later, may succeed.
    retryable = False

    def __init__(
        self,
        detail: str,
        *,
        code: str | None = None,
        errors: tuple[FieldError, ...] = (),
        retry_after_s: int | None = None,
        headers: dict[str, str] | None = None,
        extra: dict[str, object] | None = None,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        if code is not None:
            self.code = code
        self.errors = errors
        self.retry_after_s = retry_after_s
        self.headers = headers or {}
        self.extra = extra or {}


class Malformed(Problem):
    status, title, code = 400, "Malformed request", "request_malformed"


class Unauthorized(Problem):
    status, title, code = 401, "Unauthorized", "key_missing"


class QuotaExhausted(Problem):
    status, title, code = 402, "Quota exhausted", "quota_exhausted"


class ScopeMissing(Problem):
    status, title, code = 403, "Scope missing", "scope_missing"


class Forbidden(Problem):
    status, title, code = 403, "Forbidden", "forbidden"


class FormRefused(Forbidden):
    status, title, code = 403, "Form refused", "form_refused"


class NotFound(Problem):
    status, title, code = 404, "Not found", "not_found"


class MethodNotAllowed(Problem):
    status, title, code = 405, "Method not allowed", "method_not_allowed"


class TooSlow(Problem):
    status, title, code = 408, "Request timeout", "body_timeout"
    retryable = True


class Conflict(Problem):
    status, title, code = 409, "Conflict", "state_conflict"


class Gone(Problem):
    status, title, code = 410, "Gone", "gone"


class BodyTooLarge(Problem):
    status, title, code = 413, "Body too large", "body_too_large"


class TooManyFields(BodyTooLarge):
    status, title, code = 413, "Too many fields", "too_many_fields"


class WrongContentType(Problem):
    status, title, code = 415, "Unsupported media type", "content_type_unsupported"


class Invalid(Problem):
    status, title, code = 422, "Unprocessable", "validation_failed"

    @classmethod
    def field(cls, field: str, code: str, detail: str) -> Invalid:
        """The common case: exactly one field is wrong, and its code is the problem's code."""
        return cls(detail, code=code, errors=(FieldError(field, code, detail),))

    @classmethod
    def fields(cls, errors: list[FieldError]) -> Invalid:
        if len(errors) == 1:
            return cls.field(errors[0].field, errors[0].code, errors[0].detail)
        names = ", ".join(error.field for error in errors)
        return cls(f"{len(errors)} fields need attention: {names}.", errors=tuple(errors))


class Refused(Problem):
    status, title, code = 422, "Refused by the network", "refused"


class TooMany(Problem):
    status, title, code = 429, "Rate limit", "rate_limited"
    retryable = True


class HeadTooLarge(Problem):
    status, title, code = 431, "Header too large", "header_too_large"


class Internal(Problem):
    status, title, code = 500, "Internal error", "internal_error"
    retryable = True


class Unavailable(Problem):
    status, title, code = 503, "Unavailable", "storage_unavailable"
    retryable = True
    # Whether it is sure that nothing was done; a store that falls silent may have done what it was asked.
    is_undone = False


class StorageFull(Problem):
    status, title, code = 507, "No room", "storage_full"
    retryable = True


class LeaseLost(Problem):
    status, title, code = 503, "Unavailable", "lease_lost"
    retryable = True


class Misconfigured(Exception):
    """A setting is missing or makes no sense; the program does not start half-configured."""


class Unscoped(Exception):
    """A statement touches an account's table and does not say which account."""
