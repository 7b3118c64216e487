"""Sending one e-mail: accepted at once, handed to the relay by a worker."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import cast

from core import contacts, idempotency
from core.decisions import KeepRefusals
from core.email.inputs import NewEmail
from core.email.lookups import requests_as_remembered, requests_of
from core.email.outgoing import is_large
from core.email.queries import MESSAGES
from core.email.queue.accept import batched_queue, queued_email
from core.email.record import SentEmail, masked
from core.email.rows import (
    EMAIL,
    EMAIL_AS_REMEMBERED,
    KEY_ROUTE,
    EmailSend,
    LookAnew,
    answer_to,
)
from core.foundation.clock import now
from core.foundation.database.combining import Combiner
from core.foundation.ids import new_id
from core.foundation.jobs import Job, wake
from core.foundation.security.caller import Caller, Scope
from core.messaging import (
    AcceptOutcome,
    Channel,
    SendRequest,
    SendSchedule,
    accept_batch,
    accept_by_quote,
    send_once,
)


async def _accept(sends: Sequence[EmailSend]) -> list[AcceptOutcome | Exception]:
    outcomes: Sequence[AcceptOutcome | Exception] = [LookAnew()] * len(sends)
    if (requests := await requests_as_remembered(sends)) is not None:
        outcomes = await accept_batch(EMAIL_AS_REMEMBERED, requests)
    if rest := [send for send, one in zip(sends, outcomes, strict=True) if _is_open(one)]:
        anew = iter(await accept_batch(EMAIL, await _looked_up(rest)))
        outcomes = [next(anew) if _is_open(one) else one for one in outcomes]
    await wake(Job.HAND_OVER_EMAILS)
    return list(outcomes)


def _is_open(outcome: AcceptOutcome | Exception) -> bool:
    return isinstance(outcome, LookAnew)


async def _accept_quoted(sends: Sequence[EmailSend]) -> list[AcceptOutcome | Exception]:
    requests = await _looked_up(sends)
    outcomes = await accept_by_quote(
        Channel.EMAIL, requests, write=partial(accept_batch, EMAIL), answer_to=answer_to
    )
    await wake(Job.HAND_OVER_EMAILS)
    return outcomes


async def _looked_up(sends: Sequence[EmailSend]) -> list[SendRequest]:
    return await requests_of(sends, [send.at for send in sends])


batched_accept: Combiner[EmailSend, AcceptOutcome] = Combiner(_accept, concurrency=2, halves=True)
batched_large_accept: Combiner[EmailSend, AcceptOutcome] = Combiner(_accept, concurrency=2)
"""Of e-mails that take long to write: the others do not wait for that."""
batched_quoted_accept: Combiner[EmailSend, AcceptOutcome] = Combiner(_accept_quoted)
"""Apart from the others, which wait for no quote."""


async def send_message(caller: Caller, new: NewEmail, *, idempotency_key: str) -> SentEmail:
    """Accept one e-mail, once per key, with its price held. Answers the record with `billing` and
    `replayed`.

    It leaves afterwards, one with a time at that time: `queued` here, or `failed` as `suppressed`,
    uncharged, where its address is known not to work or has complained. Raises PaymentRequired,
    Conflict, ServiceUnavailable, NoVerifiedSender, RecipientOptedOut and the refusals of the key
    itself. (Decisions: Email send.)
    """
    async with KeepRefusals(
        caller,
        Channel.EMAIL,
        contact_id=new.contact_id,
        identity=partial(contacts.identity_of_email, caller.organization_id, new.to),
    ):
        caller.require(Scope.EMAIL_SEND)
        if new.scheduled_at is not None:
            return await _send_later(caller, new, new.scheduled_at, idempotency_key=idempotency_key)
        return await _send_now(caller, new, idempotency_key=idempotency_key)


async def _send_now(caller: Caller, new: NewEmail, *, idempotency_key: str) -> SentEmail:
    """Accept one e-mail, which leaves at once."""
    use = idempotency.key_use(
        caller, KEY_ROUTE, idempotency_key, new.model_dump(exclude_unset=True)
    )
    send = EmailSend(caller, new, use, new_id("msg"), now())
    accepted = await send_once(
        Channel.EMAIL,
        send,
        acceptance=_acceptance_of(new),
        again=MESSAGES.answer_again,
    )
    return cast("SentEmail", accepted.answer_for(caller, masked))


def _acceptance_of(new: NewEmail) -> Combiner[EmailSend, AcceptOutcome]:
    if new.quote_id is not None:
        return batched_quoted_accept
    return batched_large_accept if is_large(new) else batched_accept


async def _send_later(
    caller: Caller, new: NewEmail, due_at: datetime, *, idempotency_key: str
) -> SentEmail:
    """Accept one e-mail that leaves at its time."""
    request = queued_email(caller, new, key=idempotency_key, later=SendSchedule(due_at))
    accepted = await send_once(
        Channel.EMAIL,
        request,
        acceptance=batched_queue,
        again=MESSAGES.answer_again,
    )
    return cast("SentEmail", accepted.answer_for(caller, masked))
