"""Whom a batch passed over, as the traces of decisions keep them."""

from core.conversations.addresses import identity_of
from core.conversations.errors import RepeatedRecipient
from core.conversations.sending.send_request import ConversationRequest
from core.decisions import Skip
from core.foundation.errors import ServiceError
from core.foundation.security.caller import Caller


def skip_of(caller: Caller, request: ConversationRequest, refusal: ServiceError) -> list[Skip]:
    """The trace of one that is not sent. None of one whose recipient gets another message of the
    same batch.
    """
    if isinstance(refusal, RepeatedRecipient):
        return []
    identity = None
    if request.to is not None:
        unified = caller.unifies_ninth_digit
        identity = identity_of(request.channel, caller.organization_id, request.to, unified=unified)
    return [Skip(refusal, request.contact_id, identity)]
