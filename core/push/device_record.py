"""A device as the interface spells it."""

from typing import Annotated, Any, NotRequired, TypedDict

from pydantic import WithJsonSchema

from core.foundation.records import Doc, Id, Instant, Made, Record, UncountedPage, named
from core.foundation.security.caller import Environment
from core.push.models import Platform

TOKEN_END_LENGTH = 6
"""Characters of a token that are shown: enough to know one's own by, and nothing to send with."""


def token_end(token: str) -> str:
    """The last characters of a token, at most half of it."""
    return token[len(token) - min(TOKEN_END_LENGTH, len(token) // 2) :]


TOKEN_END = f"to_json(right(token, least({TOKEN_END_LENGTH}, length(token) / 2)))::text"
"""The same in SQL."""


def _is_active(opted_in: bool, deactivated_at: Any) -> bool:
    return opted_in and deactivated_at is None


@named(rest="Device", graphql="PushDevice")
class DeviceRecord(TypedDict):
    """A device. Who uses it is not told, only what finds the person."""

    id: Annotated[Id, Doc("Names the device")]
    appId: Annotated[str, Doc("The app's id, which you gave it")]
    platform: Annotated[Platform, Doc("What it runs")]
    tokenEnd: Annotated[
        str,
        Made(token_end, ("token",), sql=TOKEN_END),
        Doc("The last characters of the token, at most six of them and half of it"),
    ]
    active: Annotated[
        bool,
        Made(
            _is_active,
            ("opted_in", "deactivated_at"),
            sql="(opted_in AND deactivated_at IS NULL)::text",
        ),
        Doc("It is sent to: it has opted in, and its token is not gone"),
    ]
    optedIn: Annotated[bool, Doc("Its person wants notifications")]
    optedOutAt: NotRequired[Annotated[Instant, Doc("When they were turned off on it")]]
    deactivatedAt: NotRequired[Annotated[Instant, Doc("When the provider called the token gone")]]
    env: Annotated[Environment, Doc("The environment that it is registered in")]
    contactId: NotRequired[Annotated[Id, Doc("The contact whose device it is")]]
    externalId: NotRequired[Annotated[str, Doc("Your own id of the customer")]]
    topics: Annotated[list[str], Doc("What it wants to hear of")]
    createdAt: Annotated[Instant, Doc("When it was registered")]
    updatedAt: Annotated[Instant, Doc("When something of it last became different")]


DEVICE = Record(DeviceRecord)


class DevicePage(UncountedPage[DeviceRecord]):
    """A page of devices, newest first."""


@named(rest="RegisteredDevice", graphql="RegisteredPushDevice")
class RegisteredDevice(DeviceRecord):
    """A device as it was registered."""

    criado: Annotated[bool, Doc("It was not known before")]
    warnings: NotRequired[Annotated[list[str], Doc("Tell of a platform that was guessed")]]


@named(rest="OptedOutDevice", graphql="OptedOutPushDevice")
class OptedOutDevice(TypedDict):
    """A device that nothing is sent to any more."""

    id: Annotated[Id, Doc("Names the device")]
    optedIn: Annotated[
        bool, WithJsonSchema({"const": False, "type": "boolean"}), Doc("Always false")
    ]
    optedOutAt: Annotated[Instant, Doc("Since when nothing is sent to it")]


class CountedOpen(TypedDict):
    """What became of a notice that a notification was opened."""

    counted: Annotated[bool, Doc("Whether this was the first open of the device")]


def device_record(row: Any) -> DeviceRecord:
    """The record of a row. Neither the token nor who uses the device is told."""
    return DEVICE.make(row, unmasked=True)
