"""The instant at which something is to happen later, or is asked about."""

from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from core.foundation.clock import now
from core.foundation.validation.inputs import UtcTime

MAX_DAYS_AHEAD = 365


def _within_a_year(at: datetime) -> datetime:
    if (at - now()).days >= MAX_DAYS_AHEAD:
        raise PydanticCustomError("too_large", "It lies at most a year ahead")
    return at


def is_near(at: datetime) -> bool:
    """Whether it lies at most a year ahead or back."""
    return abs((at - now()).days) < MAX_DAYS_AHEAD


def _near(at: datetime) -> datetime:
    if not is_near(at):
        raise PydanticCustomError("too_large", "It lies at most a year ahead or back")
    return at


NearTime = Annotated[UtcTime, AfterValidator(_near)]
"""An instant that is asked about, a year away at most."""

ScheduledAt = Annotated[UtcTime, AfterValidator(_within_a_year)]
"""When a message is to leave, a year ahead at most; a time that is past means now."""
