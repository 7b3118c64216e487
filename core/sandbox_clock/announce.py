"""Telling whoever listens that the clock of a sandbox was set, or went on."""

from core.foundation import pubsub


async def announce(organization_id: str) -> None:
    """Once the transaction around is there."""
    notice = pubsub.Notice(pubsub.Topic.CLOCK, organization_id, "test", "clock", {})
    await pubsub.publish([notice])
