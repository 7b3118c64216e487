"""The contracted SMS per second of an organization and environment, taken for a whole batch in one call."""

from collections import Counter
from collections.abc import Sequence

from core import wallet
from core.foundation import rate_limit
from core.foundation.caller import Caller
from core.foundation.rate_limit import Allowance, Grant, Take
from core.sms.draft import Draft


async def ask_ceiling(drafts: Sequence[Draft]) -> dict[wallet.Owner, Grant]:
    """Ask for one token per draft; each owner is granted what its bucket holds."""
    rates = {draft.owner: draft.caller.limits.sms_per_second for draft in drafts}
    wanted = Counter(draft.owner for draft in drafts)
    grants = await rate_limit.take([_take(owner, rates[owner], count) for owner, count in wanted.items()])
    return dict(zip(wanted, grants, strict=True))


async def allot(drafts: Sequence[Draft], fresh: Sequence[Draft], granted: dict[wallet.Owner, Grant]) -> set[str]:
    """Let the drafts with new keys through, in their order, as far as the tokens go; give the surplus back.

    A replay spends nothing, so an owner may have been granted more than its new drafts need. Answers ids.
    """
    left = {owner: grant.granted for owner, grant in granted.items()}
    rates = {draft.owner: draft.caller.limits.sms_per_second for draft in drafts}
    within: set[str] = set()
    for draft in fresh:
        if left[draft.owner] > 0:
            left[draft.owner] -= 1
            within.add(draft.id)
    surplus = [_take(owner, rates[owner], -count) for owner, count in left.items() if count]
    if surplus:
        await rate_limit.take(surplus)
    return within


def note_allowance(caller: Caller, grant: Grant) -> None:
    """Let the door show what is left of the ceiling."""
    rate_limit.note(Allowance("sms", caller.limits.sms_per_second, grant.left, grant.wait))


def _take(owner: wallet.Owner, per_second: int, count: int) -> Take:
    return Take(f"sms:{':'.join(owner)}", per_second, count)
