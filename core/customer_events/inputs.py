"""What a caller may say about a customer event."""

from datetime import timedelta
from typing import Annotated, Self

from pydantic import AfterValidator, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from core.foundation.clock import now
from core.foundation.validation.currencies import Currency
from core.foundation.validation.inputs import (
    CURSOR,
    LIMIT,
    SINCE,
    UNTIL,
    Input,
    Metadata,
    Phone,
    QueryInput,
    UtcTime,
    at_most_decimals,
)
from core.foundation.validation.names import NameText

AHEAD = timedelta(minutes=5)
"""How far the caller's clock may run before ours."""

DEFAULT_WINDOW_HOURS = 168
MAX_WINDOW_HOURS = 720


def _not_ahead(at: UtcTime) -> UtcTime:
    if at > now() + AHEAD:
        raise PydanticCustomError(
            "in_the_future", "The event lies in the future; send when it happened"
        )
    return at


def _unmasked(value: str) -> str:
    if "*" in value:
        raise PydanticCustomError("VALOR_MASCARADO", "This is a masked value; send the whole one")
    return value


class EventContact(Input):
    """Whom the event is about, by any of these; several must name the same contact."""

    contact_id: Annotated[str, StringConstraints(max_length=64)] | None = Field(
        default=None, description="The id of the contact"
    )
    external_id: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = Field(
        default=None, description="Your own id of the customer"
    )
    phone: Phone | None = Field(default=None, description="In any written form")
    email: (
        Annotated[str, StringConstraints(min_length=3, max_length=254), AfterValidator(_unmasked)]
        | None
    ) = Field(default=None, description="The contact's e-mail address, in any case")

    @model_validator(mode="after")
    def _somebody(self) -> Self:
        if not any((self.contact_id, self.external_id, self.phone, self.email)):
            raise PydanticCustomError(
                "required", "Send at least one of contactId, externalId, phone and email"
            )
        return self


class NewCustomerEvent(Input):
    """Something that happened outside messaging. `value` is in units of `currency`."""

    name: Annotated[str, NameText(120)] = Field(description="What happened, in your own words")
    contact: EventContact = Field(description="Whom it is about")
    event_id: Annotated[str, StringConstraints(min_length=1, max_length=200)] = Field(
        description="Your own id of the event; sent again, it answers what is stored"
    )
    occurred_at: Annotated[UtcTime, AfterValidator(_not_ahead)] | None = Field(
        default=None, description="Now unless told; at most five minutes ahead"
    )
    value: (
        Annotated[float, Field(ge=-(10**12), le=10**12, allow_inf_nan=False), at_most_decimals(4)]
        | None
    ) = Field(default=None, description="In units of the currency, with up to four decimals")
    currency: Currency = Field(default="BRL", description="The currency, by its code of ISO 4217")
    properties: Metadata | None = Field(
        default=None, description="What else there is to tell of it, flat"
    )
    attribution_window_hours: Annotated[int, Field(ge=1, le=MAX_WINDOW_HOURS)] = Field(
        default=DEFAULT_WINDOW_HOURS,
        description="How long before the event a message may lie to count as its cause",
    )


class CustomerEventFilter(QueryInput):
    """Which events to list, by the time they happened."""

    from_: UtcTime = Field(alias="from", description=SINCE)
    to: UtcTime = Field(description=UNTIL)
    name: str | None = Field(default=None, description="The whole name of the event")
    contact_id: str | None = Field(default=None, description="Events of this contact only")
    limit: Annotated[int, Field(ge=1)] | None = Field(default=None, description=LIMIT)
    cursor: str | None = Field(default=None, description=CURSOR)
