"""The fields of a send that are the same on every channel."""

from typing import Annotated

from pydantic import Field, StringConstraints

from core.foundation.validation.inputs import Metadata
from core.foundation.validation.schedule import ScheduledAt

ContactOfSend = Annotated[
    Annotated[str, StringConstraints(min_length=1, max_length=30)] | None,
    Field(description="The contact that it goes to"),
]
CampaignOfSend = Annotated[
    Annotated[str, StringConstraints(min_length=1, max_length=80)] | None,
    Field(description="A tag of your own for the messages of one campaign"),
]
MetadataOfSend = Annotated[
    Metadata | None,
    Field(description="Data of your own system, returned in every webhook of it"),
]
QuoteOfSend = Annotated[
    Annotated[str, StringConstraints(min_length=1, max_length=30)] | None,
    Field(description="The quote whose prices it pays at most"),
]
TrackLinks = Annotated[
    bool, Field(description="Addresses become short links, and each click is counted and told")
]
TimeOfSend = Annotated[
    ScheduledAt | None, Field(description="When it is to leave; unless told, now")
]
