"""The pub/sub notice that a message is new or has another status."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial

import structlog

from core.foundation import pubsub
from core.foundation.database.rows import HasColumns
from core.foundation.database.transactions import after_commit

log = structlog.get_logger()

JourneyHook = Callable[[Sequence[HasColumns]], Awaitable[None]]

_on_journey_messages: list[JourneyHook] = []


def on_journey_messages(react: JourneyHook) -> JourneyHook:
    """Register what looks sooner because messages of journeys have another status, or their links were opened;
    called once that is committed. It is a hint: whoever waits for a message looks at it from time to time.
    """
    _on_journey_messages.append(react)
    return react


async def announce_messages(rows: Iterable[HasColumns]) -> None:
    """Announce messages that are new or have another status, once the transaction has committed.

    Of a row: id, organization_id, env, channel, direction; and journey_run where it has one.
    """
    rows = list(rows)
    await hint_journeys(rows)
    await pubsub.publish(
        [
            changed(
                str(row["organization_id"]),
                str(row["env"]),
                str(row["id"]),
                channel=str(row["channel"]),
                direction=str(row["direction"]),
            )
            for row in rows
        ]
    )


async def hint_journeys(rows: Iterable[HasColumns]) -> None:
    """Those of these messages that journeys sent got further; told once the transaction has committed.

    Of a row: journey_run, journey_step and updated_at, where it has them.
    """
    if sent_by_journeys := [row for row in rows if _is_of_a_journey(row)]:
        for react in _on_journey_messages:
            await after_commit(partial(_hint, react, sent_by_journeys))


def _is_of_a_journey(row: HasColumns) -> bool:
    try:
        return row["journey_run"] is not None
    except KeyError:
        return False


async def _hint(react: JourneyHook, rows: Sequence[HasColumns]) -> None:
    try:
        await react(rows)
    except Exception as failure:  # what is settled stays settled
        log.warning("journeys_not_hinted", error=type(failure).__name__)


def changed(
    organization_id: str, env: str, id: str, *, channel: str, direction: str
) -> pubsub.Notice:
    """The notice that a message is new or has another status."""
    return pubsub.Notice(
        pubsub.Topic.MESSAGE, organization_id, env, id, {"channel": channel, "direction": direction}
    )
