"""What a caller learns of a failure."""

import asyncio

import structlog

from core.foundation.database.availability import DatabaseAway, TookTooLong, is_outage
from core.foundation.errors import Internal, ServiceError, ServiceUnavailable
from core.foundation.observability.outage_log import tell_outage

log = structlog.get_logger()


class CutOff(ServiceUnavailable):
    default_detail = (
        "The service stopped here before the answer was known; repeat the request in a moment, "
        "with the same "
        "Idempotency-Key if it had one."
    )

    def __init__(self) -> None:
        super().__init__(retry_after=1)


def refusal_for(error: BaseException, operation: str | None) -> ServiceError:
    """A refusal as it is. Of what no use case foresaw: the database is away, this process ends, or it
    is a fault of ours.

    `operation` is how the log calls what was under way.
    """
    if isinstance(error, TookTooLong):
        tell_outage("took_too_long", operation=operation)
    if isinstance(error, ServiceError):
        return error
    if isinstance(error, asyncio.CancelledError):
        log.warning("cut_off", operation=operation)
        return CutOff()
    if is_outage(error):
        tell_outage("database_away", error, operation=operation)
        return DatabaseAway()
    log.error("unexpected", operation=operation, exc_info=error)
    return Internal()
