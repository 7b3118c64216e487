"""Notifications and the devices they go to."""

from typing import TYPE_CHECKING, Annotated, cast

import strawberry
from strawberry import UNSET
from strawberry.types import Info

from core import push
from core.push import DispatchStatus, Origin, Platform
from core.read_models.push_apps import PUSH_APP
from core.read_models.push_devices import PUSH_DEVICE
from core.read_models.pushes import PUSH
from graphql_api.connections import Connection, connection_field, node_field, relation_field
from graphql_api.context import caller_of
from graphql_api.enums import enum_of
from graphql_api.mutations import payload_field
from graphql_api.nodes.schema import Node
from graphql_api.periods import Period
from graphql_api.records import record_type, type_of

if TYPE_CHECKING:
    from graphql_api.contacts.schema import Contact

PushPlatform = enum_of(Platform)


@strawberry.input(description="Conditions that all hold; one of the values of each.")
class PushFilter:
    status: list[enum_of(DispatchStatus)] | None = strawberry.field(
        default=UNSET, description="How far the notification has come"
    )
    origin: list[enum_of(Origin)] | None = strawberry.field(
        default=UNSET, description="What made it"
    )
    created_at: Period | None = strawberry.field(default=UNSET, description="When it was asked for")


@strawberry.input(description="Conditions that all hold.")
class PushDeviceFilter:
    contact_id: strawberry.ID | None = strawberry.field(
        default=UNSET, description="The contact whose device it is"
    )
    app_id: strawberry.ID | None = strawberry.field(
        default=UNSET, description="The app that it is registered for"
    )
    platform: PushPlatform | None = strawberry.field(default=UNSET, description="What it runs")
    active: bool | None = strawberry.field(
        default=UNSET, description="Those that are sent to, or that are not"
    )


@record_type(push.DispatchRecord)
class PushMessage(Node):
    """A notification on its way to many devices."""


PushApp = type_of(push.AppRecord)


@record_type(push.DeviceRecord)
class PushDevice(Node):
    """A device. Who uses it is not told, only what finds the person."""

    contact: Annotated["Contact", strawberry.lazy("graphql_api.contacts.schema")] | None = (
        relation_field("contact", description="The contact whose device it is")
    )
    app: PushApp | None = relation_field("app", description="The app that it is registered for")


@record_type(push.RegisteredDevice)
class RegisteredPushDevice:
    device: PushDevice | None = payload_field(
        PUSH_DEVICE, lambda told: told["id"], description="The device as it is now"
    )


@record_type(push.OptedOutDevice)
class OptedOutPushDevice:
    device: PushDevice | None = payload_field(
        PUSH_DEVICE, lambda told: told["id"], description="The device as it is now"
    )


CountedOpen = type_of(push.CountedOpen)
PushPreview = type_of(push.PushPreview)
PushSettings = type_of(push.SettingsRecord)


async def _settings(info: Info) -> PushSettings | None:
    return cast("PushSettings", await push.get_settings(caller_of(info)))


@strawberry.type
class PushQueries:
    push_message: PushMessage | None = node_field(
        PUSH, description="The notification of this id; null where there is none"
    )
    push_messages: Connection[PushMessage] | None = connection_field(
        PUSH, filter=PushFilter, description="Newest first"
    )
    push_devices: Connection[PushDevice] | None = connection_field(
        PUSH_DEVICE,
        filter=PushDeviceFilter,
        description="Newest first; of a token only its end is shown",
    )
    push_apps: Connection[PushApp] | None = connection_field(PUSH_APP, description="By their ids")
    push_settings: PushSettings | None = strawberry.field(
        resolver=_settings,
        description="The hours in which push and marketing conversations are quiet",
    )
