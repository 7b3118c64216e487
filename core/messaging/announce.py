"""The pub/sub notice that a message is new or has another status."""

from collections.abc import Iterable

from core.foundation import pubsub
from core.foundation.database.db import Row


async def announce_messages(rows: Iterable[Row]) -> None:
    """Announce messages that are new or have another status, once the transaction has committed.

    Of a row: id, organization_id, env, channel, direction.
    """
    await pubsub.publish(
        [
            changed(
                row["organization_id"],
                row["env"],
                row["id"],
                channel=row["channel"],
                direction=row["direction"],
            )
            for row in rows
        ]
    )


def changed(
    organization_id: str, env: str, id: str, *, channel: str, direction: str
) -> pubsub.Notice:
    """The notice that a message is new or has another status."""
    return pubsub.Notice(
        pubsub.Topic.MESSAGE, organization_id, env, id, {"channel": channel, "direction": direction}
    )
