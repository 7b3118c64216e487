"""Times of day and time zones, as callers write them."""

from functools import cache
from typing import Annotated
from zoneinfo import available_timezones

from pydantic import AfterValidator, StringConstraints
from pydantic_core import PydanticCustomError

from core.foundation.validation.field_messages import CLOCK

NOT_ZONES = {"Factory", "localtime", "posixrules"}
"""Files beside the zones: they say nothing, or are the server's own."""


@cache
def _zones() -> frozenset[str]:
    """Kept: they are looked for on the disk."""
    return frozenset(available_timezones() - NOT_ZONES)


def is_zone(name: str) -> bool:
    """Whether a zone is called so."""
    return name in _zones()


def _zone(name: str) -> str:
    if not is_zone(name):
        raise PydanticCustomError(
            "not_allowed", "Send the IANA name of a time zone, such as America/Sao_Paulo"
        )
    return name


Zone = Annotated[str, StringConstraints(max_length=64), AfterValidator(_zone)]
"""An IANA zone."""

Clock = Annotated[str, StringConstraints(pattern=CLOCK)]
"""A time of day, `22:00`."""
