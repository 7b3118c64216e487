"""How often senders are asked for and looked up: each costs a stranger something."""

from core.email.errors import TooManySenderRequests
from core.foundation.security import rate_limit
from core.foundation.security.caller import Caller
from core.foundation.security.rate_limit import Allowance, Take
from core.foundation.security.secrets import keyed_hash
from core.foundation.settings import current

REQUESTS_PER_HOUR = 30
PROOFS_PER_MINUTE = 10
CODES_PER_HOUR = 3
"""To one address, whoever asks for them: its owner may know nothing of it."""


async def request_within_limit(caller: Caller) -> None:
    """Take one of the requests that an organization has. Raises TooManySenderRequests."""
    await _within(caller, "email.senders", REQUESTS_PER_HOUR, 3600)


async def proof_within_limit(caller: Caller) -> None:
    """Take one of the look-ups and codes that an organization has. Raises TooManySenderRequests."""
    await _within(caller, "email.senders.verify", PROOFS_PER_MINUTE, 60)


async def code_within_limit(address: str) -> None:
    """Take one of the e-mails that an address gets. Raises TooManySenderRequests."""
    whose = keyed_hash(current().hash_key.encode(), f"sender e-mail {address}").hex()
    bucket = Take(f"email.senders.code:{whose}", CODES_PER_HOUR / 3600, 1, CODES_PER_HOUR)
    (grant,) = await rate_limit.take([bucket])
    if not grant.granted:
        raise TooManySenderRequests(retry_after=grant.wait)


async def _within(caller: Caller, name: str, quota: int, window: int) -> None:
    bucket = Take(f"{name}:{caller.organization_id}:{caller.env}", quota / window, 1, quota)
    (grant,) = await rate_limit.take([bucket])
    rate_limit.note(Allowance(name, quota, grant.left, grant.wait, window=window))
    if not grant.granted:
        raise TooManySenderRequests(retry_after=grant.wait)
