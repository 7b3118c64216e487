"""What waits for the clients of an organization: receipts that are due and replies, seen and replayed."""

from core import audit
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.database.where import Where
from core.foundation.records import WrittenPage, newest_records
from core.foundation.security.caller import Caller, Scope
from core.smpp.accounts import account_for_change, in_environment_of
from core.smpp.inputs import SmppDeliveryFilter, SmppReplay
from core.smpp.record import SMPP_DELIVERY, SmppDeliveryPage, SmppReplayed

AT_ONCE = 10_000


async def list_outbox(caller: Caller, filter: SmppDeliveryFilter) -> WrittenPage[SmppDeliveryPage]:
    """A page of what waits for the accounts of the caller's organization, newest first."""
    caller.require(Scope.KEYS_MANAGE)
    where = Where([caller.organization_id], ["organization_id = $1"])
    narrow_outbox(where, account_id=filter.account_id, status=filter.status)
    return await newest_records(
        caller,
        SMPP_DELIVERY,
        "smpp_receipts",
        where,
        filter,
        select=f"SELECT * FROM ({OUTBOX}) AS o",
        total=f"SELECT count(*) FROM ({OUTBOX}) AS o WHERE {where}",
    )


def narrow_outbox(where: Where, *, account_id: str | None, status: str | None) -> None:
    """Those for an account, and those that are still tried or not."""
    where.narrow_given(("account_id = {}", account_id), ("status = {}", status))


async def replay_outbox(caller: Caller, replay: SmppReplay) -> SmppReplayed:
    """All that waits for an account is due now, what was given up too; what has expired is not.
    What is being delivered may come twice. Raises NoSuchSmppAccount, SmppAccountRevoked.
    """
    caller.require(Scope.KEYS_MANAGE)
    at = now()
    async with transaction(), account_for_change(caller, replay.account_id) as account:
        replayed = 0
        for statement in (REPLAY_RECEIPTS, REPLAY_REPLIES):
            replayed += await db.execute(statement, account.id, at, AT_ONCE - replayed)
        there = in_environment_of(caller, account)
        facts = {"replayed": replayed}
        await audit.write_entry(there, "smpp_outbox.replayed", account.id, facts, at=at)
    return {"due": replayed}


OF_ORGANIZATION = (
    "account_id = ANY (ARRAY(SELECT a.id FROM smpp_accounts a WHERE a.organization_id = $1))"
)

STATUS = """CASE WHEN expired_at IS NOT NULL THEN 'expired' WHEN given_up_at IS NOT NULL THEN 'dead' ELSE 'waiting' END"""

OUTBOX = f"""
    SELECT id, organization_id, env, account_id, 'receipt' AS kind, message_id, attempts, due_at, created_at,
           {STATUS} AS status
    FROM smpp_receipts WHERE (due_at IS NOT NULL OR given_up_at IS NOT NULL OR expired_at IS NOT NULL) AND {OF_ORGANIZATION}
    UNION ALL
    SELECT message_id, organization_id, env, account_id, 'reply', message_id, attempts, CASE WHEN given_up_at IS NULL THEN due_at END,
           created_at,
           {STATUS}
    FROM smpp_replies WHERE organization_id = $1
"""
"""Receipts by the accounts: their indexes begin with these."""

REPLAY_RECEIPTS = """
UPDATE smpp_receipts SET due_at = $2, attempts = 0, given_up_at = NULL WHERE id = ANY (ARRAY(
    SELECT id FROM smpp_receipts WHERE account_id = $1 AND (due_at > $2 OR given_up_at IS NOT NULL) AND expired_at IS NULL
    ORDER BY id LIMIT $3 FOR UPDATE))
"""

REPLAY_REPLIES = """
UPDATE smpp_replies SET due_at = $2, attempts = 0, given_up_at = NULL WHERE id = ANY (ARRAY(
    SELECT id FROM smpp_replies WHERE account_id = $1 AND (due_at > $2 OR given_up_at IS NOT NULL) AND expired_at IS NULL
    ORDER BY id LIMIT $3 FOR UPDATE))
"""
