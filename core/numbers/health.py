"""Use case: read a number's health, live from the platform or from the cache."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import cast

from core import webhooks
from core.foundation.clock import now, wire_time
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, Scope
from core.numbers.apply_status import apply_status, save_numbers
from core.numbers.health_cache import CachedHealth, cached_health
from core.numbers.models import HealthSource, NameStatus, Number, NumberStatus, Quality, Tier
from core.numbers.queries import the_number
from core.numbers.record import BusinessProfile, HealthProblem, NumberHealth
from core.numbers.sender_accounts import SENDING, usable_sender_account
from core.providers import registry
from core.providers.platform import PlatformHealth, UpstreamError

PLATFORM_TIMEOUT = 10.0
"""Seconds after which the platform is held for silent."""

PROFILE = ("about", "address", "email", "website", "vertical", "profilePictureUrl")


async def get_health(caller: Caller, id: str) -> NumberHealth:
    """What the platform says of the number now (`fonte` ao_vivo), stored as well; else what is
    stored (cache).

    The platform is asked once in `looks.MIN_INTERVAL`; in between, and when it fails, the answer is what
    it said last. That it failed, or that there is none, is no error: it is told among `problemas`.
    Raises NotFound.
    """
    caller.require(Scope.NUMBERS_READ)
    number = await the_number(caller, id)
    if number.env == "test":
        return health_record(number, verified_at=now(), live=True, throughput="standard")
    cached, at, seen = cached_health(number), now(), None
    if cached.is_over(at):
        cached.asked_at = at
        seen = await _ask_and_store(caller, number, cached)
    number = seen or number
    told, failure = cached.health_in(number), cached.failure
    problems = [cast(HealthProblem, one) for one in told.problems] if told else []
    if failure is not None:
        problems.append(_problem(failure.code, failure.error, "media"))
    return health_record(
        number,
        verified_at=number.last_meta_sync_at,
        live=seen is not None,
        throughput=told.throughput if told else None,
        problems=problems,
        can_send=told.can_send if told else True,
    )


async def _ask_and_store(caller: Caller, number: Number, cached: CachedHealth) -> Number | None:
    """Ask, store and remember what the platform says. Answers the number as it is then, None when
    nothing came.
    """
    try:
        health = await ask_platform(number)
    except UpstreamError as failure:
        cached.failure = UpstreamError(
            failure.code, failure.error
        )  # without what it was raised from, answers included
        return None
    at = now()
    async with transaction():
        number = await Number.visible_to(caller).select_for_update().get(id=number.id)
        await save_numbers([number], apply_health(number, health, at=at), at=at)
    cached.failure, cached.told_at, cached.health = None, at, health
    return number


async def ask_platform(number: Number) -> PlatformHealth:
    """What the platform says, outside of any transaction. Raises UpstreamError, also when there is none
    or it is silent.
    """
    platform = registry.for_conversations()
    if platform is None:
        raise UpstreamError("SEM_PLATAFORMA", "No platform of conversations is configured here")
    try:
        async with asyncio.timeout(PLATFORM_TIMEOUT):
            return await platform.health(usable_sender_account(number))
    except TimeoutError:
        raise UpstreamError(
            "SEM_RESPOSTA", "The platform did not answer in time", retryable=True
        ) from None


def apply_health(
    number: Number, health: PlatformHealth, *, at: datetime
) -> list[webhooks.NewEvent]:
    """Apply the platform's answer to the (locked) number; answers the event that it calls for.
    Nothing is stored.

    Values that are not the interface's are passed over.
    """
    if health.name_status in list(NameStatus):
        number.name_status = NameStatus(health.name_status)
    number.verified_name = (health.verified_name or number.verified_name or "")[:200] or None
    if health.profile is not None:
        number.profile = {
            name: health.profile[name] for name in PROFILE if health.profile.get(name)
        }
    number.last_meta_sync_at = at
    return apply_status(
        number,
        quality=Quality(health.quality_rating) if health.quality_rating in list(Quality) else None,
        tier=Tier(health.messaging_tier) if health.messaging_tier in list(Tier) else None,
        connected=health.connected,
        flagged=health.flagged,
        at=at,
    )


def health_record(
    number: Number,
    *,
    verified_at: datetime | None,
    live: bool,
    throughput: str | None = None,
    problems: Sequence[HealthProblem] = (),
    can_send: bool = True,
) -> NumberHealth:
    """The answer. `problems` are the platform's; what is known here stands before them. One of
    weight `alta` says that sends fail.
    """
    told = [*_known_problems(number), *problems]
    record: NumberHealth = {
        "id": number.id,
        "status": number.status,
        "qualityRating": number.quality_rating,
        "messagingTier": number.messaging_tier,
        "podeEnviar": can_send and not any(problem["gravidade"] == "alta" for problem in told),
        "problemas": told,
        "verificadoEm": wire_time(verified_at) if verified_at else None,
        "fonte": HealthSource.LIVE if live else HealthSource.CACHED,
    }
    if number.name_status is not None:
        record["nameStatus"] = number.name_status
    if number.profile:
        record["profile"] = cast(BusinessProfile, number.profile)
    if throughput is not None:
        record["throughput"] = throughput
    return record


def _known_problems(number: Number) -> list[HealthProblem]:
    problems: list[HealthProblem] = []
    if number.partner_removed_reason is not None:
        message = (
            "The platform reported that the service was removed from the number's "
            "account; sends will fail"
        )
        problems.append(_problem(number.partner_removed_reason, message, "alta"))
    if number.status not in SENDING:
        problems.append(
            _problem(
                "NUMERO_INDISPONIVEL",
                "The number is not connected; nothing is sent from it",
                "alta",
            )
        )
    if number.quality_rating is Quality.RED:
        message = "People block or report what this number sends; the platform may lower its tier"
        problems.append(_problem("QUALIDADE_BAIXA", message, "media"))
    elif number.status is NumberStatus.FLAGGED:
        problems.append(
            _problem(
                "NUMERO_SINALIZADO", "The platform flagged the number; it still sends", "media"
            )
        )
    return problems


def _problem(code: str, message: str, severity: str) -> HealthProblem:
    return {"codigo": code, "mensagem": message, "gravidade": severity}
