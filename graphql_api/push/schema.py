"""Notifications and the devices they go to."""

from typing import Literal

import strawberry
from strawberry import UNSET

from core.push import DeliveryStatus, DispatchStatus, Origin, Platform, RateKind
from core.read_models.push_devices import PUSH_DEVICE
from core.read_models.pushes import PUSH
from graphql_api.connections import Connection, connection_field, node_field
from graphql_api.enums import ENV, enum_of, wire_enum
from graphql_api.inputs import register_enum
from graphql_api.nodes.schema import Node
from graphql_api.periods import Period
from graphql_api.scalars import BigInt, DateTime

PushStatus = wire_enum("PushStatus", DispatchStatus)
PushOrigin = wire_enum("PushOrigin", Origin)
PushPlatform = enum_of(Platform)
PushDeliveryStatus = enum_of(DeliveryStatus)
PushRateKind = wire_enum("PushRateKind", RateKind)
PushProvider = wire_enum("PushProvider", ("apns", "fcm", "vapid"))
QuietException = wire_enum("QuietException", ("silent",))

register_enum(Literal["silent"], QuietException)


@strawberry.input(description="Conditions that all hold; one of the values of each.")
class PushFilter:
    status: list[PushStatus] | None = UNSET
    origin: list[PushOrigin] | None = UNSET
    created_at: Period | None = UNSET


@strawberry.input(description="Conditions that all hold.")
class PushDeviceFilter:
    contact_id: strawberry.ID | None = UNSET
    app_id: strawberry.ID | None = UNSET
    platform: PushPlatform | None = UNSET
    active: bool | None = strawberry.field(
        default=UNSET, description="Those that are sent to, or that are not"
    )


@strawberry.type(description="A button.")
class PushAction:
    label: str
    link: str | None


@strawberry.type(description="In coins: for one device, set aside at this moment, and paid.")
class PushBilling:
    unit_coins: BigInt
    reserved_coins: BigInt
    captured_coins: BigInt


@strawberry.type(
    description="Devices queued, accepted by their provider, that opened it, failed, and opted out."
)
class PushMetrics:
    reach: int
    delivered: int
    opened: int
    failed: int
    opted_out: int


@strawberry.type(description="Of the devices of one platform.")
class PushPlatformMetrics:
    delivered: int
    opened: int
    failed: int


@strawberry.type(description="By platform.")
class PushBreakdown:
    ios: PushPlatformMetrics
    android: PushPlatformMetrics
    web: PushPlatformMetrics
    desconhecida: PushPlatformMetrics = strawberry.field(
        description="Opens that were told without a token"
    )


@strawberry.type(description="A notification on its way to many devices.")
class PushMessage(Node):
    env: ENV
    origin: PushOrigin
    status: PushStatus
    title: str
    body: str
    deep_link: str | None
    image_url: str | None
    actions: list[PushAction] | None
    platforms: list[PushPlatform]
    segment: str | None = strawberry.field(description="`all_opt_in`, or the id of a segment")
    token_count: int | None = strawberry.field(
        description="How many devices were named; null for a segment"
    )
    rate_kind: PushRateKind
    scheduled_at: DateTime | None
    quiet_deferred_to: DateTime | None
    billing: PushBilling
    metrics: PushMetrics
    breakdown: PushBreakdown
    warnings: list[str] | None = strawberry.field(description="That it reaches nobody")
    created_at: DateTime
    started_at: DateTime | None
    completed_at: DateTime | None


@strawberry.type(description="A device. Who uses it is not told, only what finds the person.")
class PushDevice:
    id: strawberry.ID
    app_id: str
    platform: PushPlatform
    token_end: str = strawberry.field(
        description="The last characters of the token, at most six and half of it"
    )
    active: bool = strawberry.field(
        description="It is sent to: it has opted in, and its token is not gone"
    )
    opted_in: bool
    opted_out_at: DateTime | None
    deactivated_at: DateTime | None = strawberry.field(
        description="When the provider called the token gone"
    )
    env: ENV
    contact_id: strawberry.ID | None
    external_id: str | None
    topics: list[str]
    created_at: DateTime
    updated_at: DateTime


@strawberry.type(description="A device as it was registered.")
class RegisteredPushDevice(PushDevice):
    criado: bool = strawberry.field(description="It was not known before")
    warnings: list[str] | None = strawberry.field(description="Of a platform that was guessed")


@strawberry.type(description="Nothing is sent to it any more.")
class OptedOutPushDevice:
    id: strawberry.ID
    opted_in: bool
    opted_out_at: DateTime


@strawberry.type(description="Whether this was the first open of the device.")
class CountedOpen:
    counted: bool


@strawberry.type(description="Devices of each platform.")
class PushReach:
    ios: int
    android: int
    web: int


@strawberry.type(description="Whom a notification would reach now, and what it would cost.")
class PushPreview:
    reach: int
    breakdown: PushReach
    rate_kind: PushRateKind
    unit_coins: BigInt
    coins: BigInt
    charged: bool = strawberry.field(description="False: this installation charges nothing")
    quiet_deferred_to: DateTime | None


@strawberry.type(description="An app with the providers it has credentials for.")
class PushApp:
    app_id: str
    env: ENV
    name: str | None
    providers: list[PushProvider]
    vapid_public_key: str | None = strawberry.field(description="What browsers subscribe with")
    created_at: DateTime
    updated_at: DateTime


@strawberry.type(
    description="Quiet from inicio until before fim; days count from 0, which is Sunday."
)
class QuietHours:
    inicio: str
    fim: str
    fuso: str
    dias: list[int] | None


@strawberry.type(description="The settings of push.")
class PushSettings:
    janela_silencio: QuietHours | None
    excecoes: list[QuietException]


@strawberry.type
class PushQueries:
    push_message: PushMessage | None = node_field(PUSH)
    push_messages: Connection[PushMessage] | None = connection_field(
        PUSH, filter=PushFilter, description="Newest first"
    )
    push_devices: Connection[PushDevice] | None = connection_field(
        PUSH_DEVICE,
        filter=PushDeviceFilter,
        description="Newest first; of a token only its end is shown",
    )
