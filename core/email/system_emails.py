"""E-mails of the service itself: an invitation, a new password. They cost nothing, and their links
are not counted.
"""

from dataclasses import dataclass, replace
from functools import partial

from pydantic import ValidationError

from core import idempotency
from core.email.addresses import Sender, read_sender
from core.email.errors import NoVerifiedSender
from core.email.inputs import NewEmail
from core.email.outgoing import compose
from core.email.rows import EMAIL, KEY_ROUTE, answer_to, message_of
from core.email.senders import sender_for
from core.email.suppression import Addressee, check_suppression
from core.foundation.clock import now
from core.foundation.database.transactions import after_commit
from core.foundation.ids import new_id
from core.foundation.jobs import Job, wake
from core.foundation.security.caller import Caller
from core.foundation.settings import current
from core.messaging import SendRequest, accept_batch
from core.providers import registry


@dataclass(frozen=True, slots=True)
class SystemEmail:
    """An e-mail to one person."""

    to: str
    subject: str
    text: str


async def send_system_email(caller: Caller, email: SystemEmail) -> bool:
    """Put an e-mail into the live outbox of the caller's organization, in the transaction around.

    False, and nothing is stored, where it would not arrive: no relay, no sender, an address that
    mail does not know or that bounced.
    """
    caller = replace(caller, env="live")
    new, sender = _as_email(email), await _own_sender(caller)
    if new is None or sender is None or registry.for_mail() is None:
        return False
    id, at = new_id("msg"), now()
    addressee = Addressee.of(
        id, caller.organization_id, caller.env, new.to, contact_id=None, marketing=False
    )
    if (await check_suppression([addressee]))[id].suppressed:
        return False
    message = replace(message_of(caller, new, id=id, at=at), sender_address=str(sender))
    outgoing = await compose(new, sender, id=id, identity=addressee.identity, at=at)
    (outcome,) = await accept_batch(
        EMAIL,
        [
            SendRequest(
                caller=caller,
                use=idempotency.key_use(caller, KEY_ROUTE, f"own {id}", {"id": id}),
                message=message,
                at=at,
                answer=answer_to(message),
                identity=None,
                beside={"email_letters": (outgoing.sealed, at)},
            )
        ],
    )
    if isinstance(outcome, Exception):
        raise outcome
    await after_commit(partial(wake, Job.HAND_OVER_EMAILS))
    return True


async def _own_sender(caller: Caller) -> Sender | None:
    """The address of the installation where there is one, else the organization's first."""
    if (own := current().account_letters_from) is not None:
        return read_sender(own)
    try:
        return await sender_for(caller, None)
    except NoVerifiedSender:
        return None


def _as_email(email: SystemEmail) -> NewEmail | None:
    """The e-mail as the channel takes it; None for an address that no relay would."""
    try:
        return NewEmail(to=email.to, subject=email.subject, text=email.text)
    except ValidationError:
        return None
