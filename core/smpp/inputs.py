"""What a caller may say about an account."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from core.foundation.security.caller import Env
from core.foundation.validation.inputs import Input
from core.organizations.keys.inputs import Networks

MAX_BINDS = 50
MAX_WINDOW = 1000

SystemId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._-]{3,15}$")]


class NewSmppAccount(Input):
    """An account to open. In live it names the networks that it may be used from: eight characters
    of a password are not enough alone.
    """

    env: Env
    system_id: SystemId = Field(description="What clients name themselves by; nobody else has it")
    route: Literal["premium", "otp", "la_dedicada"] = Field(
        default="premium", description="What messages without a service_type leave by"
    )
    ips: Networks | None = Field(default=None, description="Where it may be used from")
    max_binds: Annotated[int, Field(ge=1, le=MAX_BINDS)] = Field(
        default=4, description="Binds at once"
    )
    window: Annotated[int, Field(ge=1, le=MAX_WINDOW)] = Field(
        default=10, description="Submits of a bind that are worked on at once"
    )
    throttle: Literal["refuse", "pace"] = Field(
        default="refuse", description="Above the ceiling: ESME_RTHROTTLED at once, or wait for it"
    )
    charset: Literal["gsm", "latin1", "ascii"] = Field(
        default="gsm", description="What data_coding 0 means"
    )


class SmppPasswordRotation(Input):
    """A new password. The old one opens until the overlap ends."""

    overlap_hours: Annotated[int, Field(ge=0, le=168)] = 24
