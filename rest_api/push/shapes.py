"""The push shapes."""

from typing import Literal

from pydantic import Field

from core.push import DispatchStatus, Origin, Platform, RateKind
from rest_api.support.shapes import Address, Env, Listed, Out, Timestamp


class Device(Out):
    """A device. Who uses it is not told, only what finds the person: `contactId` and `externalId`."""

    id: str
    app_id: str
    platform: Platform
    token_end: str = Field(
        description="The last characters of the token, at most six of them and half of it"
    )
    active: bool = Field(description="It is sent to: it has opted in, and its token is not gone")
    opted_in: bool
    opted_out_at: Timestamp | None = None
    deactivated_at: Timestamp | None = Field(
        default=None, description="When the provider called the token gone"
    )
    env: Env
    contact_id: str | None = None
    external_id: str | None = None
    topics: list[str]
    created_at: Timestamp
    updated_at: Timestamp


class DevicePage(Listed):
    """A page of devices, newest first; without `nextCursor` it is the last one."""

    items: list[Device]
    next_cursor: str | None = None


class RegisteredDevice(Device):
    """`criado`: the device was not known before. `warnings` tell of a platform that was guessed."""

    criado: bool
    warnings: list[str] | None = None


class OptedOutDevice(Out):
    """Nothing is sent to it from `optedOutAt` on."""

    id: str
    opted_in: Literal[False]
    opted_out_at: Timestamp


class CountedOpen(Out):
    """Whether this was the first open of the device."""

    counted: bool


class PushAction(Out):
    """A button."""

    label: str
    link: str | None = None


class PushBilling(Out):
    """In coins: for one device, set aside at this moment, and paid."""

    unit_coins: int
    reserved_coins: int
    captured_coins: int


class PushMetrics(Out):
    """Devices queued, accepted by their provider, that opened it, that failed, and that opted out."""

    reach: int
    delivered: int
    opened: int
    failed: int
    opted_out: int


class PlatformMetrics(Out):
    """Of the devices of one platform."""

    delivered: int
    opened: int
    failed: int


class PushBreakdown(Out):
    """By platform; `desconhecida`: opens that were told without a token."""

    ios: PlatformMetrics
    android: PlatformMetrics
    web: PlatformMetrics
    desconhecida: PlatformMetrics


class Dispatch(Out):
    """A notification on its way to many devices. `tokenCount`: how many were named; absent for a
    segment.

    `warnings` tell that it reaches nobody.
    """

    id: str
    env: Env
    origin: Origin
    status: DispatchStatus
    title: str
    body: str
    deep_link: str | None = None
    image_url: Address | None = None
    actions: list[PushAction] | None = None
    platforms: list[Platform]
    segment: str | None = None
    token_count: int | None = None
    rate_kind: RateKind
    scheduled_at: Timestamp | None = None
    quiet_deferred_to: Timestamp | None = None
    billing: PushBilling
    metrics: PushMetrics
    breakdown: PushBreakdown
    warnings: list[str] | None = None
    created_at: Timestamp
    started_at: Timestamp | None = None
    completed_at: Timestamp | None = None


class DispatchPage(Listed):
    """A page of dispatches, newest first; without `nextCursor` it is the last one."""

    items: list[Dispatch]
    next_cursor: str | None = None


class PlatformReach(Out):
    """Devices of each platform."""

    ios: int
    android: int
    web: int


class PushPreview(Out):
    """Whom it would reach now and what it would cost. `charged` false: this installation charges
    nothing.
    """

    reach: int
    breakdown: PlatformReach
    rate_kind: RateKind
    unit_coins: int
    coins: int
    charged: bool
    quiet_deferred_to: Timestamp | None = None


class PushApp(Out):
    """An app with the providers it has credentials for. Browsers subscribe with `vapidPublicKey`."""

    app_id: str
    env: Env
    name: str | None = None
    providers: list[Literal["apns", "fcm", "vapid"]]
    vapid_public_key: str | None = None
    created_at: Timestamp
    updated_at: Timestamp


class PushAppList(Listed):
    """All apps, by their ids."""

    items: list[PushApp]


class QuietHoursRecord(Out):
    """Quiet from `inicio` until before `fim`, in the zone; on all days, or those that are named (0
    is Sunday).
    """

    inicio: str
    fim: str
    fuso: str
    dias: list[int] | None = None


class PushSettingsRecord(Out):
    """The settings of push; `excecoes` are kinds of content that pass while it is quiet."""

    janela_silencio: QuietHoursRecord | None
    excecoes: list[Literal["silent"]]
