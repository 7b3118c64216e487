"""The service itself: is what it needs there, and does its work flow?"""

from collections import Counter
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING

from cli.checks.check_result import Warned
from cli.checks.machines import ANSWER_TIMEOUT
from cli.failures import Failure

if TYPE_CHECKING:
    from core.foundation.settings import Settings

LATE_SECONDS, STUCK_SECONDS = 90, 600
"""Since when the oldest row of a queue may be due. A worker looks every few seconds, after files
once a minute.
"""
FEED_LATE_SECONDS = 10
"""Since when the oldest event may wait for its position in the feed. A worker looks five times a
second.
"""
MIN_MONTHS_AHEAD = 2
"""Months that have their partition before they begin; a worker adds one more."""
LATELY = timedelta(hours=1)


async def encryption(_: "Settings") -> str:
    """Can what is stored encrypted be read with the keys that are given?"""
    from core import cells, operations
    from core.foundation.security.keyring import keyring

    ring, found = keyring(), Counter(await operations.sealed_with())
    with suppress(Exception):  # a cell that is away, or whose address no key opens: `cells` says so
        for cell in (await cells.every_cell())[1:]:
            with cells.use_cell(cell):
                found.update(await operations.sealed_with())
    lost = sum(count for key_id, count in found.items() if not ring.knows(key_id))
    if lost:
        raise Failure(
            f"{lost} stored values need a key that is not in SVC_ENCRYPTION_KEYS: add the old "
            f"key behind the newest"
        )
    older = sum(count for key_id, count in found.items() if not ring.is_current(f"{key_id}."))
    if older:
        return f"the keys open what is stored; {older} values still need an older one until `svc encryption renew`"
    return "the newest key is used"


async def hash_key(_: "Settings") -> str:
    """Is SVC_HASH_KEY the one that what is stored was hashed with?"""
    from core import cells, contacts

    others = seen = 0
    for cell in await cells.every_cell():
        with cells.use_cell(cell):
            some, of = await contacts.stored_with_another_hash_key()
        others, seen = others + some, seen + of
    if others:
        raise Failure(
            f"{others} of {seen} contacts are stored under another SVC_HASH_KEY: with this one no API "
            f"key, session or opt-out is known; set the one that they were stored with"
        )
    return "it is the one of what is stored" if seen else "no contact is stored that could tell"


async def cells(_: "Settings") -> str:
    """Do the databases besides the home answer, is their schema the newest, and does somebody work there?"""
    from core import operations

    found = await operations.look_into_cells(within=operations.PATIENT_SECONDS)
    if not found:
        return "all organizations live in the database of DATABASE_URL"
    away = [one.name for one in found if not one.is_up]
    if away:
        raise Failure(
            f"{', '.join(away)}: no answer; their organizations get 503, all others are served"
        )
    behind = [f"{one.name} lacks {len(one.pending)}" for one in found if one.pending]
    if behind:
        raise Failure(f"{', '.join(behind)} migrations: run `svc migrate`")
    return f"{len(found)} besides the home, all of them answer"


async def moves(_: "Settings") -> str:
    """Was a move of an organization between cells broken off?"""
    from core.cells.move import left_over_moves
    from core.foundation.clock import real_now

    found = await left_over_moves(at=real_now())
    if not found:
        return "none between cells was broken off"
    line = "; ".join(move.told for move in found)
    if any(move.shuts_out for move in found):
        raise Failure(f"{line}; until then it is answered 503 where it stopped at switching")
    return Warned(line)


async def phone_hash(settings: "Settings") -> str:
    """What do those who may not see phones learn from `phoneHash`?"""
    if settings.phone_hash == "keyed":
        return "keyed: without pii:full, phoneHash does not undo the mask"
    return (
        "interface: without pii:full, the hidden digits fall to phoneHash in a tenth of a second; "
        "SVC_PHONE_HASH=keyed hides them"
    )


async def workers(settings: "Settings") -> str:
    """Is somebody working, on this database?"""
    from core import operations
    from core.foundation.redis_address import open_redis
    from workers.heartbeat import KEY_PREFIX, key_of

    ours = key_of(await operations.database_id(), "").encode()
    of_cells = await _heartbeats_of_cells()
    async with open_redis(
        settings.redis_url, seconds=ANSWER_TIMEOUT, answer_seconds=ANSWER_TIMEOUT
    ) as client:
        alive = [name async for name in client.scan_iter(f"{KEY_PREFIX}*")]
    count = sum(name.startswith(ours) for name in alive)
    if not count:
        others = f" ({len(alive)} of another database share this Redis)" if alive else ""
        raise Failure(
            f"none is running{others}: messages get no reports and webhooks do not leave; start "
            f"`svc worker`"
        )
    idle = [cell for cell, key in of_cells.items() if not any(one.startswith(key) for one in alive)]
    if idle:
        raise Failure(f"none is running for the cells {', '.join(idle)}: start `svc worker`")
    return "1 is running" if count == 1 else f"{count} are running"


async def _heartbeats_of_cells() -> dict[str, bytes]:
    """How the signs of life of the workers of each cell besides the home begin; of those that answer."""
    from core import cells, operations
    from core.foundation.database.availability import is_outage
    from workers.heartbeat import key_of

    found = {}
    for name, listed in (await cells.known_cells()).items():
        try:
            with cells.use_cell(listed.cell):
                found[name] = key_of(await operations.database_id(), "").encode()
        except Exception as error:
            if not is_outage(error):
                raise
    return found


async def queues(_: "Settings") -> str:
    """Is what is due done in time?"""
    from core import operations
    from core.foundation.clock import now

    found = await operations.measure_queues(at=now())
    late = [queue for queue in found if queue.oldest_seconds >= LATE_SECONDS]
    if not late:
        return f"{sum(queue.due for queue in found)} rows are due, none of them late"
    told = ", ".join(
        f"{queue.queue}: {queue.due} due, the oldest for {queue.oldest_seconds:.0f} s"
        for queue in late
    )
    line = f"{told}: start more workers, or read their log for what fails"
    if max(queue.oldest_seconds for queue in late) >= STUCK_SECONDS:
        raise Failure(line)
    return Warned(line)


async def event_feed(_: "Settings") -> str:
    """Does the feed have what has happened?"""
    from core import operations
    from core.foundation.clock import now

    (waiting,) = [
        queue for queue in await operations.measure_queues(at=now()) if queue.queue == "event_feed"
    ]
    if waiting.oldest_seconds < FEED_LATE_SECONDS:
        return f"it lacks {waiting.due} events, none of them for long"
    return Warned(
        f"it lacks {waiting.due} events, the oldest for {waiting.oldest_seconds:.0f} s: is a "
        f"worker running, and does "
        "its log name assign_feed_positions? Readers miss nothing, they get them later"
    )


async def partitions(settings: "Settings") -> str:
    """Are the months to come planned, and do those go whose time is over?"""
    from core import partitions as months
    from core.foundation.clock import now

    told = await months.partition_status(at=now())
    divided = [table for table in told["tables"] if table["partitioned"]]
    if settings.retention_export != "off" and not months.is_available():
        raise Failure(
            "SVC_RETENTION_EXPORT=parquet needs the extra `parquet`; until it is installed, no "
            "month leaves"
        )
    if not divided:
        if settings.keep_messages_months or settings.keep_audit_months:
            return Warned(
                "months are to be kept for a time only, but no table has months: `svc partitions "
                "enable`"
            )
        return "no table is partitioned, and everything is kept"
    late = [
        table["table"]
        for table in divided
        if table["monthsAhead"] < MIN_MONTHS_AHEAD or table["unplannedRows"]
    ]
    if late:
        return Warned(
            f"{', '.join(late)}: months ahead have no partition; a worker adds them every hour, "
            f"read its log"
        )
    waiting = f", {len(told['detached'])} months are on their way out" if told["detached"] else ""
    return f"{len(divided)} tables by month{waiting}"


async def webhooks(settings: "Settings") -> str:
    """Do webhooks get out, and only to where they may?"""
    from core import operations
    from core.foundation.clock import now

    reach = await operations.webhook_reach(at=now(), within=LATELY)
    if reach.failed and not reach.reached:
        return Warned(
            f"none of {reach.failed} subscriptions was reached in the last hour: look whether "
            f"this machine may call "
            "out (DNS, firewall), and at the receivers"
        )
    line = f"{reach.reached} subscriptions were reached in the last hour, {reach.failed} were not"
    private = ", ".join(map(str, settings.webhook_allow_networks))
    return f"{line}; private networks that they may reach: {private}" if private else line


async def live_sms(settings: "Settings") -> str:
    """Who carries each route of live SMS, and could it now?"""
    from core.providers import registry
    from core.providers.contracts import CannotCarry, SmsProvider

    await registry.open_providers(settings)
    try:
        routes: dict[tuple[SmsProvider, ...], list[str]] = {}
        for route, carriers in registry.sms_routes().items():
            routes.setdefault(carriers, []).append(route)
        if not any(routes):
            return "nobody is set to carry them, so live sends answer 503; the sandbox needs nobody"
        told, broken = [], False
        for carriers, names in routes.items():
            found = []
            for carrier in carriers:
                try:
                    found.append(
                        f"{carrier.name} {await carrier.probe()}{_lacks(settings, carrier.name)}"
                    )
                except CannotCarry as problem:
                    found.append(f"{carrier.name} {problem}")
                    broken = True
            told.append(f"{', '.join(names)}: {', else '.join(found) or 'nobody, 503'}")
        line = "; ".join(told)
        if broken:
            raise Failure(line)
        if settings.gateway_url is not None:
            line += f"; callbacks signed by v1 are taken until {settings.callbacks_v1_until}"
        return line
    finally:
        await registry.close_providers()


def _lacks(settings: "Settings", provider: str) -> str:
    """What is not set of a provider, so that its messages stay `sent`."""
    events = settings.amazon_events_queue or settings.amazon_topics
    if provider == "cloud-eum" and not (settings.eum_configuration_set and events):
        return (
            ", but without SVC_EUM_CONFIGURATION_SET and SVC_AMAZON_EVENTS_QUEUE its "
            "messages stay sent"
        )
    if provider == "cloud-sns" and not settings.sns_log_groups:
        return ", but without SVC_SNS_LOG_GROUPS its messages stay sent"
    return ""
