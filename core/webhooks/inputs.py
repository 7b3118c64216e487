"""What a caller may say about a subscription."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from core.foundation.inputs import Input, SkipPage
from core.foundation.outbound import OutboundRefused, check_url
from core.webhooks.event_types import EventType
from core.webhooks.outbound_policy import policy

RESERVED = re.compile(
    r"(x-svc-.*|webhook-.*|host|content-.*|transfer-encoding|connection|upgrade|te|trailer|keep-alive|proxy-.*|"
    r"expect|user-agent|accept-encoding|date)\Z",
    re.IGNORECASE,
)


def _reachable(url: str) -> str:
    try:
        return check_url(url, policy())
    except OutboundRefused as refused:
        raise PydanticCustomError(refused.reason, "{message}", {"message": refused.message}) from None


def _free_name(name: str) -> str:
    if RESERVED.match(name):
        raise PydanticCustomError("reserved_header", "This header name is reserved for the delivery itself")
    return name


def _distinct(events: list[EventType]) -> list[EventType]:
    return list(dict.fromkeys(events))


Url = Annotated[str, StringConstraints(max_length=2048), AfterValidator(_reachable)]
Events = Annotated[list[EventType], Field(min_length=1), AfterValidator(_distinct)]
Description = Annotated[str, StringConstraints(max_length=500)]


class Header(Input):
    """A header sent along with every delivery; its value is encrypted at rest."""

    key: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}\z"), AfterValidator(_free_name)]
    value: Annotated[str, StringConstraints(pattern=r"^[\x20-\x7e]*\z", max_length=1024)]


class Retry(Input):
    """How often and how fast a failed delivery is tried again."""

    max_attempts: Annotated[int, Field(ge=1, le=12)]
    backoff_seconds: Annotated[int, Field(ge=5, le=3600)]


DEFAULT_RETRY = Retry(max_attempts=8, backoff_seconds=30)


class NewSubscription(Input):
    """An address and the events it wants."""

    url: Url
    events: Events
    description: Description | None = None
    headers: Annotated[list[Header], Field(max_length=20)] | None = None
    retry: Retry | None = None


class SubscriptionFilter(SkipPage):
    """Which subscriptions to list; an unknown value matches nothing."""

    status: str | None = None
    event: str | None = None
