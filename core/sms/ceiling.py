"""The contracted SMS per second of an organization and environment, taken for a whole batch in one
call.
"""

from collections import Counter
from collections.abc import Sequence

from core import wallet
from core.foundation.security import rate_limit
from core.foundation.security.caller import Caller
from core.foundation.security.rate_limit import Allowance, Grant, Take
from core.sms.draft import Draft


async def ask_ceiling(drafts: Sequence[Draft]) -> dict[wallet.Owner, Grant]:
    """Ask for one token per draft; each owner is granted what its bucket holds."""
    rates = {draft.owner: draft.caller.limits.sms_per_second for draft in drafts}
    wanted = Counter(draft.owner for draft in drafts)
    grants = await rate_limit.take(
        [_take(owner, rates[owner], count) for owner, count in wanted.items()]
    )
    return dict(zip(wanted, grants, strict=True))


def within_ceiling(drafts: Sequence[Draft], granted: dict[wallet.Owner, Grant]) -> set[str]:
    """The ids of the drafts that get a token, in their order."""
    left = {owner: grant.granted for owner, grant in granted.items()}
    within: set[str] = set()
    for draft in drafts:
        if left[draft.owner] > 0:
            left[draft.owner] -= 1
            within.add(draft.id)
    return within


async def give_back(repeats: Sequence[Draft]) -> None:
    """Return the tokens of drafts that turned out to be repeats: a replay spends nothing."""
    if repeats:
        rates = {draft.owner: draft.caller.limits.sms_per_second for draft in repeats}
        surplus = Counter(draft.owner for draft in repeats)
        await rate_limit.take(
            [_take(owner, rates[owner], -count) for owner, count in surplus.items()]
        )


def note_allowance(caller: Caller, grant: Grant) -> None:
    """Let the door show what is left of the ceiling."""
    rate_limit.note(Allowance("sms", caller.limits.sms_per_second, grant.left, grant.wait))


def _take(owner: wallet.Owner, per_second: int, count: int) -> Take:
    return Take(f"sms:{':'.join(owner)}", per_second, count)
