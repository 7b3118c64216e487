"""What a client is told where a request is refused: the status, and parameters that say why."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import structlog
from pydantic import ValidationError

from core.foundation.database.availability import is_outage
from core.foundation.errors import (
    DependencyFailed,
    NotFound,
    PaymentRequired,
    RateLimited,
    ServiceError,
    ServiceUnavailable,
    ValidationFailed,
)
from core.idempotency import RequestInProgress
from smpp_api.wire.commands import CommandStatus, Malformed
from smpp_api.wire.parameters import Tag, c_text

MAX_TEXT_LENGTH = 200

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a request for a message is answered."""

    status: CommandStatus = CommandStatus.ESME_ROK
    message_id: str = ""
    parameters: Mapping[int, bytes] = field(default_factory=dict)


_FIELDS = {
    "to": CommandStatus.ESME_RINVDSTADR,
    "senderId": CommandStatus.ESME_RINVSRCADR,
    "body": CommandStatus.ESME_RINVMSGLEN,
    "route": CommandStatus.ESME_RINVSERTYP,
    "scheduledAt": CommandStatus.ESME_RINVSCHED,
}
"""By the field of the send that is wrong; the others come by optional parameters."""


_STATUSES: tuple[tuple[type[ServiceError], CommandStatus], ...] = (
    (RateLimited, CommandStatus.ESME_RTHROTTLED),
    (RequestInProgress, CommandStatus.ESME_RMSGQFUL),
    (ServiceUnavailable, CommandStatus.ESME_RSYSERR),
    (DependencyFailed, CommandStatus.ESME_RSYSERR),
    (NotFound, CommandStatus.ESME_RINVMSGID),
)
"""By the kind of a refusal: those that say when to send again. All others are for good."""

AGAIN = frozenset(
    {CommandStatus.ESME_RTHROTTLED, CommandStatus.ESME_RMSGQFUL, CommandStatus.ESME_RSYSERR}
)
"""What the same may be sent after once more."""


def answer_to(error: Exception) -> Answer:
    """The answer to what was raised."""
    match error:
        case Malformed():
            return refused(error.status, error.what)
        case ValidationError():
            (place, *_) = error.errors()[0]["loc"] or ("",)
            return refused(
                _FIELDS.get(str(place), CommandStatus.ESME_RINVOPTPARAMVAL), f"{place} is not valid"
            )
        case ServiceError():
            return _answer_to_refusal(error)
    if not is_outage(error):
        log.error("smpp_request_failed", exc_info=error)
    return refused(CommandStatus.ESME_RSYSERR, "not now; nothing was sent")


def _answer_to_refusal(error: ServiceError) -> Answer:
    if isinstance(error, ValidationFailed):
        return _answer_to_invalid(error)
    reason = "saldo" if isinstance(error, PaymentRequired) else None
    return refused(_status_of(error), error.detail, reason=reason)


def _status_of(error: ServiceError) -> CommandStatus:
    return next(
        (status for kind, status in _STATUSES if isinstance(error, kind)),
        CommandStatus.ESME_RSUBMITFAIL,
    )


def is_for_good(error: Exception) -> bool:
    """Whether what was refused is refused the next time too."""
    if isinstance(error, ServiceError):
        return _status_of(error) not in AGAIN
    return isinstance(error, Malformed | ValidationError)


def _answer_to_invalid(error: ValidationFailed) -> Answer:
    place = error.errors[0].where.strip("/") if error.errors else ""
    reason = error.meta.get("motivo")
    return refused(
        _FIELDS.get(place, CommandStatus.ESME_RSUBMITFAIL),
        error.detail,
        reason=reason if isinstance(reason, str) else None,
    )


def refused(status: CommandStatus, text: str, *, reason: str | None = None) -> Answer:
    """A refusal with its sentence, and a word for programs where there is one."""
    parameters: dict[int, bytes] = {Tag.ADDITIONAL_STATUS_INFO_TEXT: c_text(text[:MAX_TEXT_LENGTH])}
    if reason is not None:
        parameters[Tag.REASON] = c_text(reason)
    return Answer(status, parameters=parameters)
