"""The inputs of devices and notifications."""

import re
from typing import Annotated

import orjson
from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from core.contacts.inputs import Email
from core.foundation.validation.inputs import (
    CURSOR,
    LIMIT,
    SINCE,
    UNTIL,
    Input,
    Phone,
    QueryInput,
    UtcTime,
)
from core.foundation.validation.time_zones import Clock, Zone
from core.foundation.validation.validation_errors import across, exactly_one
from core.messaging.send_fields import QuoteOfSend
from core.push.models import DispatchStatus, Origin, Platform, QuietException, RateKind

ALL_OPT_IN = "all_opt_in"
MAX_TOKENS = 10_000
MAX_BODY_LENGTH = 1000
MAX_CONTENT_BYTES = 3_000
"""Bytes of a notification as JSON: the push services take 4 KB with all that goes around it."""

MAX_APP_ID_LENGTH = 80
AppId = Annotated[
    str,
    StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=MAX_APP_ID_LENGTH),
    Field(description="The app's id, which you give it"),
]
Token = Annotated[str, StringConstraints(min_length=1, max_length=2048)]
Short = Annotated[str, StringConstraints(min_length=1, max_length=200)]
BrowserKey = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_\-+/]+={0,2}$", max_length=120)]


class TokenOfApp(Input):
    """A device by its app and token."""

    app_id: AppId
    token: Token = Field(description="What its push provider knows the device by")


class NewDevice(TokenOfApp):
    """A device as its app knows it. Fields that are left out, or null, keep what is stored."""

    platform: Platform | None = Field(
        default=None,
        description="Left out, it is what is stored, else the app's, else it is guessed by the "
        "token",
    )
    p256dh: BrowserKey | None = Field(
        default=None, alias="p256dh", description="Public key of the browser's subscription"
    )
    auth: Annotated[BrowserKey, Field(max_length=40)] | None = Field(
        default=None, description="Secret of the browser's subscription"
    )
    external_id: Short | None = Field(default=None, description="Your own id of the customer")
    contact_id: str | None = Field(default=None, description="The contact whose device it is")
    user_name: Short | None = Field(default=None, description="What its person is called")
    user_email: Email | None = None
    user_phone: Phone | None = Field(default=None, description="The phone of its person")
    device_name: Short | None = Field(default=None, description="What the device is called")
    topics: (
        Annotated[
            list[Annotated[str, StringConstraints(min_length=1, max_length=64)]],
            Field(max_length=50),
        ]
        | None
    ) = Field(default=None, description="What it wants to hear of")
    opted_in: bool | None = Field(default=None, description="Left out, a new device has opted in")


class DeviceOptOut(TokenOfApp):
    """The device that notifications were turned off on."""


class Opened(Input):
    """Which device opened the notification; without it the first open of the dispatch counts once."""

    token: Token | None = Field(
        default=None, description="What the push provider knows the device by"
    )


def _https(value: str) -> str:
    if not re.match(r"https://[^\s/?#]+", value, re.IGNORECASE):
        raise PydanticCustomError("wrong_format", "Send an https address")
    return value


HttpsUrl = Annotated[
    str,
    StringConstraints(max_length=2048),
    AfterValidator(_https),
    Field(description="The https address of its image"),
]
Label = Annotated[
    str,
    StringConstraints(min_length=1, max_length=40),
    Field(description="What stands on the button"),
]
Link = Annotated[str, StringConstraints(min_length=1, max_length=2048)]
BUTTONS = "Its buttons, at most four"


class Action(Input):
    """A button; without a link it opens the app as the notification does."""

    label: Label
    link: Link | None = Field(default=None, description="What the button opens")


class LabelOfAction(Input):
    """A button of which only the label is known."""

    label: Label


class Audience(Input):
    """Whom a notification goes to: exactly one of `segment` and `tokenIds`."""

    platforms: Annotated[list[Platform], Field(min_length=1, max_length=3)] = Field(
        description="The devices that it goes to, by what they run"
    )
    segment: str | None = Field(
        default=None, description="`all_opt_in`, or the id of a segment of contacts"
    )
    token_ids: Annotated[list[Token], Field(min_length=1, max_length=MAX_TOKENS)] | None = Field(
        default=None, validate_default=True, description="Ids (`dev_…`) or tokens of devices"
    )

    _one_audience = exactly_one(
        "segment",
        "token_ids",
        code="AUDIENCIA_INVALIDA",
        said="Send either segment or tokenIds, and not both",
    )


class PushDraft(Audience):
    """A notification to preview."""

    image_url: HttpsUrl | None = None
    actions: Annotated[list[LabelOfAction], Field(max_length=4)] | None = Field(
        default=None, description=BUTTONS
    )

    @property
    def rate_kind(self) -> RateKind:
        """What the price goes by."""
        return RateKind.RICH if self.image_url or self.actions else RateKind.SIMPLE


class NewPush(Audience):
    """A notification to send. Without title, body, image and buttons (empty texts) it is silent:
    data only.
    """

    title: Annotated[str, StringConstraints(max_length=200)] = Field(
        description="Its title; empty for data only"
    )
    body: Annotated[str, StringConstraints(max_length=MAX_BODY_LENGTH)] = Field(
        description="Its text; empty for data only"
    )
    deep_link: Link | None = Field(default=None, description="What it opens in the app")
    image_url: HttpsUrl | None = None
    actions: Annotated[list[Action], Field(max_length=4)] | None = Field(
        default=None, validate_default=True, description=BUTTONS
    )
    scheduled_at: UtcTime | None = Field(
        default=None, description="When to send; a time that is past means now"
    )
    quote_id: QuoteOfSend = None

    @across("title", "body", "image_url", "actions")
    @staticmethod
    def _something_to_show(
        title: str, body: str, image_url: str | None, actions: list[Action] | None
    ) -> None:
        if (not title or not body) and (title or body or image_url or actions):
            raise PydanticCustomError(
                "required", "Send both title and body; only data alone go without"
            )

    @across("title", "body", "deep_link", "image_url", "actions")
    @staticmethod
    def _not_too_large(
        title: str,
        body: str,
        deep_link: str | None,
        image_url: str | None,
        actions: list[Action] | None,
    ) -> None:
        shown = {
            "title": title,
            "body": body,
            "deepLink": deep_link,
            "imageUrl": image_url,
            "actions": actions,
        }
        if len(orjson.dumps(shown, default=Action.model_dump)) > MAX_CONTENT_BYTES:
            raise PydanticCustomError(
                "too_many", "The notification has at most 3,000 bytes in all; send less"
            )

    @property
    def rate_kind(self) -> RateKind:
        """What the price goes by."""
        if self.image_url or self.actions:
            return RateKind.RICH
        return RateKind.SIMPLE if self.title else RateKind.SILENT


class PushFilter(QueryInput):
    """Which dispatches to list, newest first."""

    status: list[DispatchStatus] | None = Field(
        default=None, description="Any of these: `?status=a&status=b`"
    )
    origin: list[Origin] | None = Field(
        default=None, description="Any of these: `?origin=a&origin=b`"
    )
    from_: UtcTime | None = Field(default=None, alias="from", description=SINCE)
    to: UtcTime | None = Field(default=None, description=UNTIL)
    limit: Annotated[int, Field(ge=1)] | None = Field(default=None, description=LIMIT)
    cursor: str | None = Field(default=None, description=CURSOR)


class DeviceFilter(QueryInput):
    """Which devices to list, newest first."""

    contact_id: str | None = Field(default=None, description="Only the devices of this contact")
    app_id: str | None = Field(default=None, description="Only those of this app")
    platform: Platform | None = Field(default=None, description="Only those of this platform")
    active: bool | None = Field(
        default=None, description="Only those that are sent to, or that are not"
    )
    limit: Annotated[int, Field(ge=1)] | None = Field(default=None, description=LIMIT)
    cursor: str | None = Field(default=None, description=CURSOR)


class QuietHours(Input):
    """The hours in which nothing is sent; `inicio` and `fim` alike switch it off."""

    inicio: Clock = Field(description="Wall clock, `22:00`: quiet from here")
    fim: Clock = Field(
        description="Wall clock, `08:00`: no longer quiet from here; before `inicio`: of the "
        "next day"
    )
    fuso: Zone = Field(description="IANA zone, `America/Sao_Paulo`")
    dias: (
        Annotated[list[Annotated[int, Field(ge=0, le=6)]], Field(min_length=1, max_length=7)] | None
    ) = Field(
        default=None, description="Days on which it begins, 0 for Sunday; every day when left out"
    )


class PushSettings(Input):
    """The whole of the settings; null takes the quiet hours away."""

    janela_silencio: QuietHours | None = Field(
        description="The hours that are quiet; null: no hour is"
    )
    excecoes: Annotated[list[QuietException], Field(max_length=1)] = Field(
        default=[], description="Kinds of content that pass all the same"
    )
