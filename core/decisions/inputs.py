"""What may be asked of decisions."""

from typing import Annotated

from pydantic import Field, StringConstraints

from core.decisions.record import DecisionChannel
from core.foundation.rules import Rule
from core.foundation.validation.inputs import (
    CURSOR,
    LIMIT,
    SINCE,
    UNTIL,
    Input,
    QueryInput,
    UntilShown,
    UtcTime,
)
from core.foundation.validation.schedule import NearTime
from core.foundation.validation.validation_errors import exactly_one

Id = Annotated[str, StringConstraints(min_length=1, max_length=30)]


class SendQuestion(Input):
    """A send that is asked about: could it be sent, and when?"""

    canal: DecisionChannel = Field(
        description="The channel; a notification (`push`) goes to many devices, and is previewed"
    )
    contact_id: Id | None = Field(
        default=None, description="The contact that it would go to, at its phone or e-mail"
    )
    to: Annotated[str, StringConstraints(min_length=1, max_length=254)] | None = Field(
        default=None,
        validate_default=True,
        description="Or the address, as a send of the channel names it",
    )
    rota: Annotated[str, StringConstraints(min_length=1, max_length=30)] | None = Field(
        default=None, description="The route of an SMS or an RCS message; unless told, the first"
    )
    categoria: Annotated[str, StringConstraints(min_length=1, max_length=30)] | None = Field(
        default=None, description="The category of an e-mail; unless told, transacional"
    )
    from_: Annotated[str, StringConstraints(min_length=1, max_length=254)] | None = Field(
        default=None,
        alias="from",
        description=(
            "The sender's address of an e-mail; the number or the account of a conversation"
        ),
    )
    template_id: Id | None = Field(
        default=None, description="The template of a conversation; without it, a text"
    )
    template_vars: (
        Annotated[list[Annotated[str, StringConstraints(max_length=1024)]], Field(max_length=100)]
        | None
    ) = Field(default=None, description="What its placeholders hold, in their order")
    body: Annotated[str, StringConstraints(min_length=1, max_length=1600)] | None = Field(
        default=None, description="The text, which decides how many segments it would have"
    )
    em: NearTime | None = Field(
        default=None,
        description="The instant that is asked about, a year away at most; unless told, now",
    )

    _one_recipient = exactly_one("contact_id", "to", said="Send either contactId or to")


class DecisionFilter(QueryInput):
    """Which refused sends to list, newest first."""

    contact_id: str | None = Field(
        default=None, description="Those for this contact, named or found by its phone or e-mail"
    )
    request_id: str | None = Field(
        default=None, description="Those of the request with this `X-Request-Id`"
    )
    parte_de: str | None = Field(
        default=None,
        description="Those whom this batch, notification or journey passed over, by its id",
    )
    regra: Rule | None = Field(default=None, description="Those that this rule stopped")
    canal: DecisionChannel | None = Field(default=None, description="Those on this channel")
    from_: UtcTime | None = Field(default=None, alias="from", description=SINCE)
    to: UntilShown | None = Field(default=None, description=UNTIL)
    limit: Annotated[int, Field(ge=1)] | None = Field(default=None, description=LIMIT)
    cursor: str | None = Field(default=None, description=CURSOR)
