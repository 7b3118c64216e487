"""A dispatch as the interface spells it, and what else is answered about notifications."""

from typing import Annotated, Any, NotRequired, TypedDict

from core.foundation.records import (
    Doc,
    Id,
    Instant,
    LargeInt,
    Made,
    PassedOver,
    Record,
    UncountedPage,
    Uri,
    named,
)
from core.foundation.security.caller import Environment
from core.messaging.record import QuoteOfMessage
from core.push.models import (
    DispatchStatus,
    Origin,
    Platform,
    PushProvider,
    QuietException,
    RateKind,
)

REACHES_NOBODY = "nenhum_dispositivo_alcancado"
COINS = "1 coin = 0.0001 BRL"

OUTCOMES = ("delivered", "opened", "failed")
COUNTS = tuple(f"{outcome}_{platform}" for outcome in OUTCOMES for platform in Platform)
"""The columns that count devices, by outcome and then by platform."""


class PushAction(TypedDict):
    """A button of a notification."""

    label: Annotated[str, Doc("What stands on it")]
    link: NotRequired[
        Annotated[str, Doc("What it opens; without one, it opens the app as the notification does")]
    ]


class PushBilling(TypedDict):
    """What a notification costs."""

    unitCoins: Annotated[LargeInt, Doc(f"For one device; {COINS}")]
    reservedCoins: Annotated[LargeInt, Doc(f"Set aside until the devices are sent to; {COINS}")]
    capturedCoins: Annotated[LargeInt, Doc(f"Paid; {COINS}")]


class PushMetrics(TypedDict):
    """What became of a notification, in devices."""

    reach: Annotated[int, Doc("How many are sent to")]
    delivered: Annotated[int, Doc("How many of their providers took it")]
    opened: Annotated[int, Doc("How many opened it")]
    failed: Annotated[int, Doc("How many it will not reach")]
    optedOut: Annotated[int, Doc("How many turned notifications off after it")]


@named(rest="PlatformMetrics", graphql="PushPlatformMetrics")
class PlatformMetrics(TypedDict):
    """What became of it on the devices of one platform."""

    delivered: Annotated[int, Doc("How many of their providers took it")]
    opened: Annotated[int, Doc("How many opened it")]
    failed: Annotated[int, Doc("How many it will not reach")]


class PushBreakdown(TypedDict):
    """What became of a notification, by platform."""

    ios: Annotated[PlatformMetrics, Doc("On iOS")]
    android: Annotated[PlatformMetrics, Doc("On Android")]
    web: Annotated[PlatformMetrics, Doc("In browsers")]
    desconhecida: Annotated[PlatformMetrics, Doc("Opens that were told without a token")]


def _billing(reach: int, unit: int, captured: int, released: int) -> PushBilling:
    held = reach * unit - captured - released
    return {"unitCoins": unit, "reservedCoins": held, "capturedCoins": captured}


def _metrics(reach: int, opted_out: int, opened_by_nobody: int, *counts: int) -> PushMetrics:
    delivered, opened, failed = (sum(counts[at : at + 3]) for at in (0, 3, 6))
    return {
        "reach": reach,
        "delivered": delivered,
        "opened": opened + opened_by_nobody,
        "failed": failed,
        "optedOut": opted_out,
    }


def _breakdown(opened_by_nobody: int, *counts: int) -> PushBreakdown:
    """An open without a token is of no platform that is known."""
    ios, android, web = (
        PlatformMetrics(delivered=counts[at], opened=counts[at + 3], failed=counts[at + 6])
        for at in range(3)
    )
    nobody: PlatformMetrics = {"delivered": 0, "opened": opened_by_nobody, "failed": 0}
    return {"ios": ios, "android": android, "web": web, "desconhecida": nobody}


def _warnings(reach: int) -> list[str] | None:
    return None if reach else [REACHES_NOBODY]


def _sum(outcome: str) -> str:
    return " + ".join(f"{outcome}_{platform}" for platform in Platform)


def _of(platform: Platform) -> str:
    counts = ", ".join(f"'{outcome}', {outcome}_{platform}" for outcome in OUTCOMES)
    return f"'{platform}', json_build_object({counts})"


BILLING = Made(
    _billing,
    ("reach", "unit_coins", "captured_coins", "released_coins"),
    sql=(
        "json_build_object('unitCoins', unit_coins, 'reservedCoins', "
        "reach * unit_coins - captured_coins - released_coins, 'capturedCoins', "
        "captured_coins)::text"
    ),
)
METRICS = Made(
    _metrics,
    ("reach", "opted_out", "opened_by_nobody", *COUNTS),
    sql=(
        f"json_build_object('reach', reach, 'delivered', {_sum('delivered')}, 'opened', "
        f"{_sum('opened')} + opened_by_nobody, 'failed', {_sum('failed')}, 'optedOut', "
        "opted_out)::text"
    ),
)
BREAKDOWN = Made(
    _breakdown,
    ("opened_by_nobody", *COUNTS),
    sql=(
        f"json_build_object({', '.join(map(_of, Platform))}, 'desconhecida', "
        "json_build_object('delivered', 0, 'opened', opened_by_nobody, 'failed', 0))::text"
    ),
)
WARNINGS = Made(
    _warnings, ("reach",), sql=f"""CASE WHEN reach = 0 THEN '["{REACHES_NOBODY}"]' END"""
)


@named(rest="Dispatch", graphql="PushMessage")
class DispatchRecord(TypedDict):
    """A notification on its way to many devices."""

    id: Annotated[Id, Doc("Names the notification")]
    env: Annotated[Environment, Doc("The environment that it is sent in")]
    origin: Annotated[Origin, Doc("What made it")]
    status: Annotated[DispatchStatus, Doc("How far it has come")]
    title: Annotated[str, Doc("Its title; empty where it holds data only")]
    body: Annotated[str, Doc("Its text; empty where it holds data only")]
    deepLink: NotRequired[Annotated[str, Doc("What it opens in the app")]]
    imageUrl: NotRequired[Annotated[Uri, Doc("The address of its image")]]
    actions: NotRequired[Annotated[list[PushAction], Doc("Its buttons")]]
    platforms: Annotated[list[Platform], Doc("The devices that it goes to, by what they run")]
    segment: NotRequired[Annotated[str, Doc("`all_opt_in`, or the id of a segment of contacts")]]
    tokenCount: NotRequired[
        Annotated[int, Doc("How many devices were named; absent for a segment")]
    ]
    rateKind: Annotated[RateKind, Doc("What it holds, which is what its price goes by")]
    quoteId: NotRequired[QuoteOfMessage]
    scheduledAt: NotRequired[Annotated[Instant, Doc("When it is to leave")]]
    quietDeferredTo: NotRequired[
        Annotated[Instant, Doc("When it leaves instead, because it is quiet now")]
    ]
    billing: Annotated[PushBilling, BILLING, Doc("What it costs")]
    metrics: Annotated[PushMetrics, METRICS, Doc("What became of it, in devices")]
    breakdown: Annotated[PushBreakdown, BREAKDOWN, Doc("The same by platform")]
    warnings: NotRequired[Annotated[list[str], WARNINGS, Doc("Tell that it reaches nobody")]]
    createdAt: Annotated[Instant, Doc("When it was asked for")]
    startedAt: NotRequired[Annotated[Instant, Doc("When a worker took it up")]]
    completedAt: NotRequired[Annotated[Instant, Doc("When the last device was settled")]]


DISPATCH = Record(DispatchRecord)


class DispatchPage(UncountedPage[DispatchRecord]):
    """A page of dispatches, newest first."""


@named(rest="PlatformReach", graphql="PushReach")
class PlatformReach(TypedDict):
    """Devices by platform."""

    ios: Annotated[int, Doc("On iOS")]
    android: Annotated[int, Doc("On Android")]
    web: Annotated[int, Doc("In browsers")]


class PushPreview(TypedDict):
    """Whom a notification would reach now, and what it would cost."""

    reach: Annotated[int, Doc("How many devices it would be sent to")]
    breakdown: Annotated[PlatformReach, Doc("The same by platform")]
    rateKind: Annotated[RateKind, Doc("What it holds, which is what its price goes by")]
    unitCoins: Annotated[LargeInt, Doc(f"For one device; {COINS}")]
    coins: Annotated[LargeInt, Doc(f"For all of them; {COINS}")]
    charged: Annotated[bool, Doc("False: this installation charges nothing")]
    quietDeferredTo: NotRequired[
        Annotated[Instant, Doc("When it would leave instead, because it is quiet now")]
    ]


@named(rest="PushApp", graphql="PushApp")
class AppRecord(TypedDict):
    """An app with the providers that it has credentials for."""

    appId: Annotated[str, Doc("The app's id, which you gave it")]
    env: Annotated[Environment, Doc("The environment that it is registered in")]
    name: NotRequired[Annotated[str, Doc("What it is called")]]
    providers: Annotated[list[PushProvider], Doc("The providers that it has credentials for")]
    vapidPublicKey: NotRequired[Annotated[str, Doc("What browsers subscribe with")]]
    createdAt: Annotated[Instant, Doc("When it was registered")]
    updatedAt: Annotated[Instant, Doc("When it was last changed")]


APP = Record(AppRecord)


@named(rest="PushAppList")
class AppList(TypedDict):
    """All apps."""

    items: Annotated[list[AppRecord], Doc("The apps, by their ids")]
    warnings: NotRequired[PassedOver]


@named(rest="QuietHoursRecord", graphql="QuietHours")
class QuietHoursRecord(TypedDict):
    """Hours in which nothing is sent."""

    inicio: Annotated[str, Doc("Wall clock: quiet from here")]
    fim: Annotated[
        str,
        Doc("Wall clock: no longer quiet from here; before `inicio`: of the next day"),
    ]
    fuso: Annotated[str, Doc("A zone of the IANA database, such as America/Sao_Paulo")]
    dias: NotRequired[
        Annotated[list[int], Doc("Days on which it begins, 0 is Sunday; absent: every day")]
    ]


@named(rest="PushSettingsRecord", graphql="PushSettings")
class SettingsRecord(TypedDict):
    """The settings of push."""

    janelaSilencio: Annotated[
        QuietHoursRecord | None, Doc("The hours that are quiet; null: no hour is")
    ]
    excecoes: Annotated[list[QuietException], Doc("Kinds of content that pass while it is quiet")]


def dispatch_record(row: Any) -> DispatchRecord:
    """The record of a row, or of a model's `vars`; it holds nothing personal."""
    return DISPATCH.make(row, unmasked=True)
