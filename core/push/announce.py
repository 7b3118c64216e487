"""The pub/sub notice that a dispatch changed."""

from core.foundation import pubsub


async def announce(organization_id: str, env: str, id: str) -> None:
    """The dispatch changed; told once the transaction has committed."""
    await pubsub.publish([pubsub.Notice(pubsub.Topic.PUSH, organization_id, env, id, {})])
