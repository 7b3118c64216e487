"""The rate limit of contracted SMS per second, taken for a whole batch in one call."""

from collections import Counter
from collections.abc import Sequence

from core import wallet
from core.foundation.security import rate_limit
from core.foundation.security.caller import Caller
from core.foundation.security.rate_limit import Allowance, Grant, Take
from core.sms.send_request import SmsSendRequest


async def ask_ceiling(requests: Sequence[SmsSendRequest]) -> dict[wallet.Owner, Grant]:
    """Ask for one token per request; each owner is granted what its bucket holds."""
    rates = {request.owner: request.caller.limits.sms_per_second for request in requests}
    wanted = Counter([request.owner for request in requests])
    grants = await rate_limit.take(
        [tokens_of(owner, rates[owner], count, leased=True) for owner, count in wanted.items()]
    )
    return dict(zip(wanted, grants, strict=True))


def within_ceiling(
    requests: Sequence[SmsSendRequest], granted: dict[wallet.Owner, Grant]
) -> set[str]:
    """The ids of the requests that get a token, in their order."""
    left = {owner: grant.granted for owner, grant in granted.items()}
    within: set[str] = set()
    for request in requests:
        if left[request.owner] > 0:
            left[request.owner] -= 1
            within.add(request.id)
    return within


async def give_back(repeats: Sequence[SmsSendRequest]) -> None:
    """Return the tokens of requests that turned out to be repeats: a replay spends nothing."""
    if repeats:
        rates = {request.owner: request.caller.limits.sms_per_second for request in repeats}
        surplus = Counter(request.owner for request in repeats)
        await rate_limit.take(
            [tokens_of(owner, rates[owner], -count) for owner, count in surplus.items()]
        )


def note_allowance(caller: Caller, grant: Grant) -> None:
    """Let the entry point show what is left of the ceiling."""
    rate_limit.note(Allowance("sms", caller.limits.sms_per_second, grant.left, grant.wait))


def tokens_of(owner: wallet.Owner, per_second: int, count: int, *, leased: bool = False) -> Take:
    """So many tokens of the ceiling of an organization in an environment."""
    return Take(f"sms:{':'.join(owner)}", per_second, count, leased=leased)
