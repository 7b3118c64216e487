"""What may be asked of a clock."""

import re
from datetime import timedelta
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from core.foundation.described_enum import DescribedEnum
from core.foundation.validation.inputs import Input, UtcTime
from core.foundation.validation.validation_errors import exactly_one

PERIOD = re.compile(
    r"P(?=[0-9T])(?:([0-9]{1,4})W)?(?:([0-9]{1,4})D)?"
    r"(?:T(?=[0-9])(?:([0-9]{1,6})H)?(?:([0-9]{1,8})M)?(?:([0-9]{1,8})S)?)?"
)
"""A period of ISO 8601 in weeks, days, hours, minutes and seconds; months and years have no length."""


def period_of(text: str) -> timedelta:
    """How long a period is."""
    found = PERIOD.fullmatch(text)
    assert found is not None, "it was looked at when it was read"
    weeks, days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)


def _is_period(text: str) -> str:
    if not PERIOD.fullmatch(text):
        raise PydanticCustomError(
            "wrong_format", "Write it as ISO 8601 does, such as P30D, PT1H30M or P2W"
        )
    return text


class ClockStep(DescribedEnum, rest="ClockStep", graphql="ClockStep"):
    """Steps of a clock that have a name."""

    NEXT = "proximo", "To the next instant at which something is due"


class ClockSetting(Input):
    """Where a clock is put, and whether it stands there."""

    agora: UtcTime | None = Field(
        default=None,
        description=(
            "What it shows from now on, not before what it shows already and two years ahead of the "
            "real time at most; left out, what it shows"
        ),
    )
    congelado: bool = Field(
        default=False,
        description="Whether it stands, so that nothing happens until it is advanced",
    )


class ClockAdvance(Input):
    """How far a clock is moved: exactly one of the three."""

    por: Annotated[str, StringConstraints(max_length=40), AfterValidator(_is_period)] | None = (
        Field(
            default=None,
            validate_default=True,
            description="By this period of ISO 8601, such as `P30D` or `PT1H30M`; no months and years",
        )
    )
    ate: UtcTime | None = Field(default=None, description="To this instant")
    passo: ClockStep | None = Field(
        default=None, description="To the next instant at which something is due"
    )

    _one = exactly_one("por", "ate", "passo", said="Send one of por, ate and passo")
