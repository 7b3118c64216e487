"""A clock as it is shown."""

from typing import Annotated, NotRequired, TypedDict

from core.foundation.records import Doc, Instant, named
from core.sandbox_clock.models import ClockLimit, ClockStatus


@named(rest="SandboxClock", graphql="SandboxClock")
class ClockRecord(TypedDict):
    """The clock of the sandbox: what it shows, and what it is doing."""

    agora: Annotated[Instant, Doc("What it shows")]
    congelado: Annotated[bool, Doc("Whether it stands until it is advanced")]
    status: Annotated[ClockStatus, Doc("What it is doing")]
    aplicados: Annotated[
        int, Doc("How many things have happened in this movement, or in the one before")
    ]
    de: NotRequired[Annotated[Instant, Doc("Where this movement, or the one before, set out from")]]
    para: NotRequired[Annotated[Instant, Doc("Where this movement leads; absent when it is over")]]
    proximo: NotRequired[
        Annotated[Instant, Doc("When the next thing is due; absent where nothing is")]
    ]
    limite: NotRequired[Annotated[ClockLimit, Doc("The limit that ended the movement before")]]
