"""Taking a send in: key, opt-out, money, message and stored answer, all in one transaction."""

from dataclasses import replace
from datetime import datetime

from core import idempotency, wallet
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.settings import current
from core.messages.insert import insert_messages
from core.messages.sending.draft import Draft, Held, Outcome, Taken, UnderWay, Unsettled
from core.messages.sending.errors import NoSuchContact, RecipientOptedOut


class _KeyLost(Exception):
    """Another send took the key between the look and the claim."""


async def take(draft: Draft, *, at: datetime) -> Outcome:
    """Write the send down, unless its key was used before. Raises the refusals, of which only
    `refused` leaves a (failed) message behind.
    """
    if (earlier := await _earlier(draft, at=at)) is not None:
        return earlier
    if draft.forbidden is not None:
        raise draft.forbidden
    try:
        async with transaction():
            await _write(draft, at=at)
    except _KeyLost:
        return await _earlier(draft, at=at) or UnderWay()
    except (NoSuchContact, RecipientOptedOut, wallet.InsufficientBalance) as refusal:
        # What a twin has just paid for is no refusal of this one.
        if (earlier := await _earlier(draft, at=at)) is not None:
            return earlier
        if isinstance(refusal, wallet.InsufficientBalance):
            await _warn(draft.owner, at=at)
        raise
    if draft.refused is not None:
        raise draft.refused
    return Held() if draft.answer is None else Taken(dict(draft.answer))


async def _earlier(draft: Draft, *, at: datetime) -> Outcome | None:
    """What an earlier use of the key answers. Raises KeyReusedWithAnotherBody."""
    known = (await idempotency.find_many([draft.use], at=at)).get(draft.use.slot)
    if known is None:
        return None
    if known.body_hash != draft.use.body_hash:
        raise idempotency.KeyReusedWithAnotherBody
    if known.answer is not None:
        return Taken(known.answer, replayed=True)
    if known.subject_id is None or (known.lease_until is not None and known.lease_until > at):
        return UnderWay()
    return Unsettled(known.subject_id)


async def _write(draft: Draft, *, at: datetime) -> None:
    """The wallet is locked before the key is claimed, as everybody does who locks both."""
    message = draft.message
    charged = message.coins > 0 and current().charges
    balance = (await wallet.lock_balances({draft.owner})).get(draft.owner) if charged else None
    await _check_recipient(draft)
    if charged and (balance is None or balance.available < message.coins):
        raise wallet.InsufficientBalance(
            available=balance.available if balance else 0, needed=message.coins
        )
    if draft.refused is None:
        won = await idempotency.claim_many(
            [draft.use], subjects=[message.id], answers=[draft.answer], at=at
        )
        if not won:
            raise _KeyLost
        if charged:
            await _hold(draft, at=at)
    await insert_messages([message if draft.refused is None else replace(message, coins=0)])
    if draft.beside is not None and draft.refused is None:
        await draft.beside()


async def _check_recipient(draft: Draft) -> None:
    """That the contact which is named is there, and that nobody said no. Raises NoSuchContact,
    RecipientOptedOut.
    """
    contact_id = draft.message.contact_id
    if contact_id is None and draft.identity is None:
        return
    found = await db.fetchrow(
        RECIPIENT, *draft.owner, contact_id, draft.identity, draft.message.channel
    )
    if found is None:
        raise NoSuchContact
    if found["denied"]:
        raise RecipientOptedOut


async def _hold(draft: Draft, *, at: datetime) -> None:
    message = draft.message
    transfers = [wallet.hold(draft.owner, message.id, message.coins, message.request_id)]
    if draft.captured:
        transfers.append(wallet.capture(draft.owner, message.id, message.coins, message.request_id))
    await wallet.warn(await wallet.book(transfers, at=at), at=at)


async def _warn(owner: wallet.Owner, *, at: datetime) -> None:
    async with transaction():
        await wallet.warn(await wallet.lock_balances({owner}), refused=[owner], at=at)


# No row: a contact is named and not there.
RECIPIENT = """
SELECT $4::bytea IS NOT NULL AND EXISTS (
    SELECT FROM contact_denials
    WHERE organization_id = $1 AND env = $2 AND identity IN ($4, c.identity) AND channel IN ($5, 'todos')) AS denied
FROM (VALUES ($3::text)) AS named (id)
LEFT JOIN contacts c ON c.organization_id = $1 AND c.env = $2 AND c.id = named.id
WHERE named.id IS NULL OR c.id IS NOT NULL
"""
