"""The queue's part of the ceiling of SMS per second: requests go first.

The queue takes from the bucket that requests take from, and leaves half of it to them: as long as
they use up the ceiling, nothing else leaves. Of an idle ceiling it takes nine tenths.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core import organizations, wallet
from core.foundation.security import rate_limit
from core.foundation.security.rate_limit import Take
from core.messaging import DueOrganization
from core.sms.ceiling import tokens_of

SHARE = 0.9
"""Of the ceiling, what the queue takes at most."""

KEPT = 0.5
"""Of a full bucket, what is left to requests."""


async def take_tokens(
    senders: Sequence[DueOrganization], wanted: Mapping[str, int]
) -> Mapping[str, int]:
    """Tokens of the ceilings, as many as requests leave."""
    asking = [one for one in senders if wanted[one.id]]
    rates = await _rates(asking)
    # A look at both buckets first: what requests are to have is not taken at all.
    free = {
        one.id: min(wanted[one.id], own.left, shared.left - int(rates[one.owner] * KEPT))
        for one, own, shared in await _take(asking, rates, dict.fromkeys(wanted, 0))
    }
    asking = [one for one in asking if free[one.id] > 0]
    granted = dict.fromkeys(wanted, 0)
    surplus: list[Take] = []
    for one, own, shared in await _take(asking, rates, free):
        granted[one.id] = count = min(own.granted, shared.granted)
        for take, grant in zip(_takes(one, rates, 0), (own, shared), strict=True):
            if grant.granted > count:
                surplus.append(replace(take, count=count - grant.granted))
    if surplus:
        await rate_limit.take(surplus)
    return granted


async def return_tokens(senders: Sequence[DueOrganization], unused: Mapping[str, int]) -> None:
    """Return the tokens of what did not leave after all."""
    returning = [one for one in senders if unused.get(one.id)]
    if returning:
        rates = await _rates(returning)
        await _take(returning, rates, {id: -count for id, count in unused.items()})


async def _rates(senders: Sequence[DueOrganization]) -> dict[wallet.Owner, int]:
    if not senders:
        return {}
    limits = await organizations.limits_of_many({one.owner for one in senders})
    return {owner: limit.sms_per_second for owner, limit in limits.items()}


async def _take(
    senders: Sequence[DueOrganization],
    rates: Mapping[wallet.Owner, int],
    counts: Mapping[str, int],
) -> list[tuple[DueOrganization, rate_limit.Grant, rate_limit.Grant]]:
    """What both buckets of each grant: that of the queue, and that of all."""
    if not senders:
        return []
    grants = await rate_limit.take(
        [take for one in senders for take in _takes(one, rates, counts[one.id])]
    )
    return list(zip(senders, grants[::2], grants[1::2], strict=True))


def _takes(
    sender: DueOrganization, rates: Mapping[wallet.Owner, int], count: int
) -> tuple[Take, Take]:
    rate = rates[sender.owner]
    share = rate * SHARE
    own = Take(f"sms_queue:{':'.join(sender.owner)}", share, count, burst=max(1, int(share)))
    return own, tokens_of(sender.owner, rate, count)
