"""The refusals of the service: one kind for each code of the interface's error table.

A use case raises a kind (or a named sub-kind of its domain); only an entry point knows what HTTP or
GraphQL make of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from core.foundation.language import ENGLISH, Language, translated
from core.foundation.rules import Rule

SOME_PARAMETERS = "Some parameters are not valid; correct each one named in errors."


@dataclass(frozen=True, slots=True)
class FieldError:
    """What is wrong with one field. `where` is a JSON Pointer, a parameter name or a header name."""

    kind: Literal["pointer", "parameter", "header"]
    where: str
    code: str
    message: str

    def as_wire(self, language: Language = ENGLISH) -> dict[str, str]:
        """The entry of the problem's `errors` array."""
        return {
            self.kind: self.where,
            "code": self.code,
            "message": translated(self.message, language),
        }


class ServiceError(Exception):
    """A refusal: a stable code, one English sentence that says what to do, and structured facts.

    `detail` never repeats a submitted value. `retry_after` is in whole seconds. `rule`: what stopped
    a send that is refused so; None where nothing was decided.
    """

    code: ClassVar[str]
    rule: ClassVar[Rule | None] = None
    default_detail: ClassVar[str] = "The request was refused."

    def __init__(
        self,
        detail: str | None = None,
        *,
        meta: Mapping[str, object] | None = None,
        errors: Sequence[FieldError] = (),
        retry_after: int | None = None,
    ) -> None:
        super().__init__(detail or self.default_detail)
        self.meta: dict[str, Any] = dict(meta or {})
        self.errors: tuple[FieldError, ...] = tuple(errors)
        self.retry_after = retry_after
        self.decision_id: str | None = None
        """Of the trace of a refused send; it is told with the facts."""
        self.looked_at: dict[str, Any] = {}
        """What the rule looked at besides; it is kept with the trace, and not told in the problem."""

    @property
    def facts(self) -> dict[str, object]:
        """The `meta` of the problem."""
        if self.decision_id is None:
            return self.meta
        return {**self.meta, "decisaoId": self.decision_id}

    @property
    def detail(self) -> str:
        """The sentence for a person."""
        return str(self)


class BadRequest(ServiceError):
    code = "BAD_REQUEST"
    rule = Rule.BODY
    default_detail = "The request could not be read; correct it and send it again."


class PayloadTooLarge(BadRequest):
    default_detail = "The body is larger than this operation accepts; send less."


class UnsupportedMedia(BadRequest):
    default_detail = "The content type is not accepted here."


class RangeNotSatisfiable(BadRequest):
    """`size`: how many bytes there are."""

    default_detail = "The file has no such part; ask for bytes that lie within its length."

    def __init__(self, size: int = 0) -> None:
        super().__init__()
        self.size = size


class Unauthorized(ServiceError):
    code = "UNAUTHORIZED"
    rule = Rule.SCOPE
    default_detail = "Send a valid credential in the header Authorization: Bearer <API_KEY>."


class PaymentRequired(ServiceError):
    code = "PAYMENT_REQUIRED"
    rule = Rule.BALANCE
    default_detail = "The balance does not cover this send; add credit and try again."


class Forbidden(ServiceError):
    code = "FORBIDDEN"
    rule = Rule.SCOPE
    default_detail = "The credential lacks the scope that this operation needs."


class NotFound(ServiceError):
    code = "NOT_FOUND"
    rule = Rule.BODY
    default_detail = "No such record; check the id and the environment of the credential."


class MethodNotAllowed(ServiceError):
    code = "METHOD_NOT_ALLOWED"
    rule = Rule.BODY
    default_detail = "This address exists, but not with this method."


class Conflict(ServiceError):
    code = "CONFLICT"
    rule = Rule.BODY
    default_detail = "The request clashes with what is already stored."


class ResourceGone(Conflict):
    default_detail = "What the request goes on from is no longer there; begin anew."


class PreconditionFailed(ServiceError):
    code = "PRECONDITION_FAILED"
    rule = Rule.ROUTE
    default_detail = "A condition of this operation is not met."


class ValidationFailed(ServiceError):
    """A refinement code of a field (`VINCULO_INVALIDO`) is also the `code` of the facts, where
    clients look for it.
    """

    code = "VALIDATION_ERROR"
    rule = Rule.BODY
    default_detail = "Some fields are not valid; correct each one named in errors."

    def __init__(
        self,
        detail: str | None = None,
        *,
        meta: Mapping[str, object] | None = None,
        errors: Sequence[FieldError] = (),
        retry_after: int | None = None,
    ) -> None:
        refined = next(({"code": error.code} for error in errors if error.code.isupper()), {})
        if detail is None and errors and all(error.kind == "parameter" for error in errors):
            detail = SOME_PARAMETERS
        super().__init__(
            detail, meta={**refined, **(meta or {})}, errors=errors, retry_after=retry_after
        )


class RateLimited(ServiceError):
    code = "RATE_LIMITED"
    rule = Rule.CEILING
    default_detail = "Too many requests; wait for the seconds in Retry-After."


class Internal(ServiceError):
    code = "INTERNAL"
    default_detail = "Something went wrong on our side; give support the requestId."


class DependencyFailed(ServiceError):
    code = "DEPENDENCY_FAILED"
    rule = Rule.ANSWER
    default_detail = "A system behind this operation failed; try again later."


class ServiceUnavailable(ServiceError):
    code = "SERVICE_UNAVAILABLE"
    rule = Rule.PROVIDER
    default_detail = "The service cannot do this right now; try again later."
