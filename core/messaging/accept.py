"""Accepting a send: key, opt-out, price hold, message and stored answer in one transaction."""

from dataclasses import replace
from datetime import datetime

from core import idempotency, wallet
from core.foundation.database import db
from core.foundation.database.transactions import transaction
from core.foundation.settings import current
from core.messaging.accept_outcomes import (
    AcceptedSend,
    AcceptOutcome,
    AwaitingProvider,
    InProgress,
    OutcomePending,
)
from core.messaging.errors import NoSuchContact, RecipientOptedOut
from core.messaging.insert import insert_messages
from core.messaging.send_request import SendRequest


class _KeyTaken(Exception):
    """Another send claimed the key between the look-up and the claim."""


async def accept(request: SendRequest, *, at: datetime) -> AcceptOutcome:
    """Store the send, unless its key was used before. Raises the refusals, of which only `refused`
    leaves a (failed) message behind.
    """
    if (earlier := await _earlier(request, at=at)) is not None:
        return earlier
    if request.forbidden is not None:
        raise request.forbidden
    try:
        async with transaction():
            await _write(request, at=at)
    except _KeyTaken:
        return await _earlier(request, at=at) or InProgress()
    except (NoSuchContact, RecipientOptedOut, wallet.InsufficientBalance) as refusal:
        # What a concurrent request has just paid for is no refusal of this one.
        if (earlier := await _earlier(request, at=at)) is not None:
            return earlier
        if isinstance(refusal, wallet.InsufficientBalance):
            await _warn(request.owner, at=at)
        raise
    if request.refused is not None:
        raise request.refused
    return AwaitingProvider() if request.answer is None else AcceptedSend(dict(request.answer))


async def _earlier(request: SendRequest, *, at: datetime) -> AcceptOutcome | None:
    """What an earlier use of the key answers. Raises KeyReusedWithAnotherBody."""
    known = (await idempotency.find_many([request.use], at=at)).get(request.use.scope)
    if known is None:
        return None
    if known.body_hash != request.use.body_hash:
        raise idempotency.KeyReusedWithAnotherBody
    if known.answer is not None:
        return AcceptedSend(known.answer, replayed=True)
    if known.subject_id is None or (known.lease_until is not None and known.lease_until > at):
        return InProgress()
    return OutcomePending(known.subject_id)


async def _write(request: SendRequest, *, at: datetime) -> None:
    """The wallet is locked before the key is claimed, as everybody does who locks both."""
    message = request.message
    charged = message.coins > 0 and current().charges
    balance = (await wallet.lock_balances({request.owner})).get(request.owner) if charged else None
    await _check_recipient(request)
    if charged and (balance is None or balance.available < message.coins):
        raise wallet.InsufficientBalance(
            available=balance.available if balance else 0, needed=message.coins
        )
    if request.refused is None:
        won = await idempotency.claim_many(
            [request.use], subjects=[message.id], answers=[request.answer], at=at
        )
        if not won:
            raise _KeyTaken
        if charged:
            await _hold(request, at=at)
    await insert_messages([message if request.refused is None else replace(message, coins=0)])
    if request.also_write is not None and request.refused is None:
        await request.also_write()


async def _check_recipient(request: SendRequest) -> None:
    """That the contact which is named is there, and that nobody said no. Raises NoSuchContact,
    RecipientOptedOut.
    """
    contact_id = request.message.contact_id
    if contact_id is None and request.identity is None:
        return
    found = await db.fetchrow(
        RECIPIENT, *request.owner, contact_id, request.identity, request.message.channel
    )
    if found is None:
        raise NoSuchContact
    if found["denied"]:
        raise RecipientOptedOut


async def _hold(request: SendRequest, *, at: datetime) -> None:
    message = request.message
    transfers = [wallet.hold(request.owner, message.id, message.coins, message.request_id)]
    if request.captured:
        transfers.append(
            wallet.capture(request.owner, message.id, message.coins, message.request_id)
        )
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
