"""The RCS shapes of the interface."""

from typing import Annotated, Literal

from pydantic import Field

from core.rcs.inputs import RcsPath, RcsStatus
from rest_api.support.shapes import Env, Listed, Metadata, Out, Timestamp

RcsRoute = Literal["easy_rcs", "easy_otp_rcs"]
RcsFailureReason = Literal[
    "no_rcs", "rejected", "expired", "media_error", "indeterminate", "canceled", "opt_out"
]


class OpenUrlButton(Out):
    """A button that opens a page."""

    type: Literal["openUrl"]
    text: str
    url: str
    postback: str | None = None


class CallButton(Out):
    """A button that dials a number."""

    type: Literal["call"]
    text: str
    phone: str
    postback: str | None = None


class ReplyButton(Out):
    """A button that answers with its text."""

    type: Literal["reply"]
    text: str
    postback: str | None = None


RcsButton = Annotated[OpenUrlButton | CallButton | ReplyButton, Field(discriminator="type")]


class RcsCard(Out):
    """An image with a title, a text and buttons."""

    title: str
    description: str
    file_url: str | None = None
    suggestions: list[RcsButton] | None = None


class RcsContent(Out):
    """What was sent, with short links where they were asked for; empty once the contact was erased."""

    text: str | None = None
    card: RcsCard | None = None


class RcsMessage(Out):
    """An RCS message. `channel` is the way it took; absent: not known yet."""

    id: str
    to: str
    content: RcsContent
    route: RcsRoute
    status: RcsStatus
    channel: RcsPath | None = None
    env: Env
    contact_id: str | None = None
    campaign_id: str | None = None
    metadata: Metadata | None = None
    failure_reason: RcsFailureReason | None = None
    scheduled_at: Timestamp | None = None
    sent_at: Timestamp | None = None
    delivered_at: Timestamp | None = None
    read_at: Timestamp | None = None
    created_at: Timestamp


class RcsPage(Listed):
    """A page of messages, newest first; `nextCursor` goes back as `cursor`."""

    items: list[RcsMessage]
    next_cursor: str | None = None
