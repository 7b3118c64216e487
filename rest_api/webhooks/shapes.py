"""What is told of the types of events: shapes that hold schemas, which core does not know."""

from typing import Any

from pydantic import Field

from core.webhooks import EventType
from rest_api.support.shapes import ListAnswer, Out


class EventTypeTold(Out):
    """An event that a subscription may name."""

    name: EventType = Field(description="What subscriptions call it")
    description: str = Field(description="When it is sent")
    schema_: dict[str, Any] = Field(
        alias="schema", description="A JSON Schema of the whole body of a delivery"
    )
    example: dict[str, Any] = Field(description="A body as it may be")


class EventTypes(ListAnswer):
    """Every event that a subscription may name."""

    items: list[EventTypeTold] = Field(description="All of them, in the order of the interface")
