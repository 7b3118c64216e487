"""SMS for tests."""

import itertools
from typing import Any

from core import sms, wallet
from core.foundation.database import db
from core.foundation.security.caller import Caller

_keys = itertools.count(1)


def a_new_sms(**changes: Any) -> sms.NewSms:
    """A short text that will be delivered, on the route premium; `changes` are fields of the body
    by their name.
    """
    return sms.NewSms.model_validate(
        {"to": "+5511987650005", "body": "Hello", "route": "premium", **changes}
    )


async def a_send(caller: Caller, *, key: str | None = None, **changes: Any) -> dict[str, Any]:
    """Send one SMS under a key of its own, or the one given; answers the record."""
    sent = await sms.send_message(
        caller, a_new_sms(**changes), idempotency_key=key or f"key-{next(_keys)}"
    )
    return {**sent}


async def leave_coins(caller: Caller, coins: int) -> None:
    """Take or give as much as it needs for the caller's wallet to hold exactly this."""
    wallet_row = await db.fetchrow(
        "SELECT available FROM wallets WHERE organization_id = $1 AND env = $2",
        caller.organization_id,
        caller.env,
    )
    assert wallet_row is not None
    missing = coins - wallet_row["available"]
    if missing:
        move = wallet.credit if missing > 0 else wallet.debit
        await move(caller.organization_id, caller.env, abs(missing))
