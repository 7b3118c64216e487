"""Handing a live SMS to its provider, and writing down what came of it."""

from typing import Any

from core.foundation.clock import now
from core.foundation.database.combining import Combiner
from core.messages import Channel
from core.providers import registry
from core.providers.contracts import Outgoing
from core.sms.draft import Draft
from core.sms.settle import Settlement, settle

settlements: Combiner[Settlement, dict[str, Any]] = Combiner(settle)


async def hand_over(draft: Draft, price: int) -> dict[str, Any]:
    """Ask the provider, with no transaction open; answer the settled record or raise the refusal.

    A crash from here on leaves the message `sending`: the sweep asks the provider about it, and
    hands it over again only where the provider promises to take it once.
    """
    provider = registry.for_live(Channel.SMS)
    assert provider is not None, "the intake refuses a live send without a provider"
    answer = await provider.send(
        Outgoing(
            id=draft.id,
            channel=Channel.SMS,
            to=draft.new.to,
            text=draft.encoded.body,
            content=None,
            route=draft.new.route,
            sender_id=draft.new.sender_id,
        )
    )
    return await settlements.submit(Settlement(draft.id, draft.owner, answer, now()))
