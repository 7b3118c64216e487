"""Telling whoever watches a dispatch that it got further."""

from core.foundation import live


async def announce(organization_id: str, env: str, id: str) -> None:
    """The dispatch changed; told once the transaction has committed."""
    await live.announce([live.Notice(live.Topic.PUSH, organization_id, env, id, {})])
