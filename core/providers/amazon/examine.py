"""Whether everything at Amazon is as the settings say: each thing by a call that changes nothing."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import aiohttp

from core.foundation.channels import AnyChannel
from core.foundation.clock import now
from core.foundation.json_values import object_of, objects_of
from core.foundation.settings import Settings
from core.providers.amazon.calls import (
    EUM_API,
    LOGS_API,
    SNS_API,
    SQS_API,
    AwsError,
    ErrorBody,
    error_of,
)
from core.providers.amazon.eum import spend_limits
from core.providers.amazon.eum_answers import remedy_for
from core.providers.amazon.log_lines import read_page
from core.providers.amazon.opening import api_at_queue, api_for, eum_of
from core.providers.amazon.queue import EventQueue
from core.providers.contracts import Outgoing
from core.providers.gateway.exchange import Silence

SECONDS = 20.0
_SAMPLING = re.compile(
    rb"<key>DeliveryStatusSuccessSamplingRate</key>\s*<value>([0-9]{1,3})</value>"
)


class Misconfigured(Exception):
    """Something is not as it has to be; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one look found. `ok` None: there is nothing to look at."""

    name: str
    ok: bool | None
    detail: str


Look = Callable[[Settings, aiohttp.ClientSession], Awaitable[str | None]]


async def examine(
    settings: Settings, session: aiohttp.ClientSession, *, to: str | None
) -> list[Finding]:
    """Look at everything that the settings name. `to`: a phone that a message is tried for, without
    sending it.
    """

    async def dry_run(settings: Settings, session: aiohttp.ClientSession) -> str | None:
        return await _dry_run(settings, session, to) if to is not None else None

    looks: tuple[tuple[str, Look], ...] = (
        ("spend_limit", _spend_limit),
        ("dry_run", dry_run),
        ("configuration", _configuration_set),
        ("queue", _queue),
        ("sns", _sns),
        ("log_groups", _log_groups),
    )
    return [await _finding(name, look(settings, session)) for name, look in looks]


async def _finding(name: str, look: Awaitable[str | None]) -> Finding:
    try:
        async with asyncio.timeout(SECONDS):
            detail = await look
    except Misconfigured as unfit:
        return Finding(name, False, str(unfit))
    except AwsError as error:
        remedy = remedy_for(ErrorBody(error.code, error.reason))
        return Finding(name, False, f"Amazon answers {error}" + (f": {remedy}" if remedy else ""))
    except TimeoutError:
        return Finding(name, False, f"no answer within {SECONDS:.0f} s")
    except Exception as error:
        return Finding(name, False, f"no credentials of AWS ({str(error)[:80]})")
    return Finding(name, None if detail is None else True, detail or "not set")


async def _spend_limit(settings: Settings, session: aiohttp.ClientSession) -> str | None:
    if not settings.eum_origins:
        return None
    found = await api_for(EUM_API, settings.eum_region, session).call("DescribeSpendLimits", {})
    limit = spend_limits(found).get("TEXT_MESSAGE_MONTHLY_SPEND_LIMIT")
    if limit is not None and limit <= 1:
        raise Misconfigured(f"US$ {limit} a month: a new account's; ask Amazon to raise it")
    return f"US$ {limit} a month"


async def _dry_run(settings: Settings, session: aiohttp.ClientSession, to: str) -> str | None:
    """A message for each route that has an origin."""
    if not settings.eum_origins:
        return None
    eum = eum_of(settings, session)
    for route in settings.eum_origins:
        outgoing = Outgoing(
            "msg_doctor", AnyChannel.SMS, to, "svc amazon doctor", None, route, None
        )
        reply = await eum.api.exchange(
            "SendTextMessage", eum.request_for(outgoing) | {"DryRun": True}
        )
        if isinstance(reply, Silence):
            raise AwsError(reply.kind)
        if reply.status != 200:
            error = error_of(reply)
            remedy = remedy_for(error) or "see docs/amazon.md"
            raise Misconfigured(f"{route}: {error.code} {error.reason}: {remedy}")
    return f"{', '.join(settings.eum_origins)} would be taken"


async def _configuration_set(settings: Settings, session: aiohttp.ClientSession) -> str | None:
    name = settings.eum_configuration_set
    if not settings.eum_origins:
        return None
    if name is None:
        raise Misconfigured(
            "without SVC_EUM_CONFIGURATION_SET nothing tells what becomes of messages"
        )
    found = await api_for(EUM_API, settings.eum_region, session).call(
        "DescribeConfigurationSets", {"ConfigurationSetNames": [name]}
    )
    destinations = [
        one
        for each in objects_of(found, "ConfigurationSets")
        for one in objects_of(each, "EventDestinations")
        if one.get("Enabled") and "SnsDestination" in one
    ]
    for one in destinations:
        events = one.get("MatchingEventTypes")
        if isinstance(events, list) and ("ALL" in events or "TEXT_ALL" in events):
            return f"its events go to {object_of(one, 'SnsDestination')['TopicArn']}"
    raise Misconfigured(
        "it has no enabled event destination of SNS with TEXT_ALL: svc amazon setup --print"
    )


async def _queue(settings: Settings, session: aiohttp.ClientSession) -> str | None:
    if settings.amazon_events_queue is None:
        if settings.eum_origins and not settings.amazon_topics:
            raise Misconfigured(
                "set SVC_AMAZON_EVENTS_QUEUE (or SVC_AMAZON_TOPICS): events reach nobody"
            )
        return None
    queue = EventQueue(api_at_queue(SQS_API, settings, session), settings.amazon_events_queue)
    return f"about {await queue.look()} events wait"


async def _sns(settings: Settings, session: aiohttp.ClientSession) -> str | None:
    if settings.sns_region is None:
        return None
    reply = await api_for(SNS_API, settings.sns_region, session).exchange("GetSMSAttributes", {})
    if isinstance(reply, Silence):
        raise AwsError(reply.kind)
    if reply.status != 200:
        raise AwsError(f"HTTP {reply.status}")
    sampling = _SAMPLING.search(reply.body or b"")
    if sampling is None or sampling[1] != b"100":
        raise Misconfigured(
            "set DeliveryStatusSuccessSamplingRate to 100: deliveries are not all logged"
        )
    return "answers, and logs every delivery"


async def _log_groups(settings: Settings, session: aiohttp.ClientSession) -> str | None:
    if settings.sns_region is None:
        return None
    if not settings.sns_log_groups:
        raise Misconfigured("without SVC_SNS_LOG_GROUPS what cloud-sns sends stays `sent`")
    api = api_for(LOGS_API, settings.sns_region, session)
    since = int(now().timestamp() * 1000) - 60_000
    for group in settings.sns_log_groups:
        await read_page(api, group, since=since, token=None)
    return f"{len(settings.sns_log_groups)} can be read"
