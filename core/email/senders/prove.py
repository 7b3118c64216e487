"""Showing that a sender is the organization's own: now, or by the code of an e-mail."""

from core.email.errors import InvalidCode, VerificationExpired
from core.email.inputs import SenderProof
from core.email.models import RecordCheck, SenderMethod, SenderStatus, SenderVerification
from core.email.senders.choose import UNVERIFIED
from core.email.senders.code_email import code_hash
from core.email.senders.confirm import confirm
from core.email.senders.limits import proof_within_limit
from core.email.senders.queries import the_sender
from core.email.senders.record import SenderRecord, record_name, record_value
from core.foundation.clock import now
from core.foundation.dry_run import refuse_dry_run
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.security.caller import Caller, Scope
from core.foundation.text_records import LookUpFailed, text_records


async def prove_sender(caller: Caller, id: str, proof: SenderProof) -> SenderRecord:
    """Look for the TXT record of a domain now, or take the code of the e-mail to an address.

    Raises NotFound, TooManySenderRequests, InvalidCode and VerificationExpired.
    """
    caller.require(Scope.EMAIL_SEND)
    refuse_dry_run()
    sender = await the_sender(caller, id)
    await proof_within_limit(caller)
    if not sender["address"].startswith("@"):
        await _take_code(caller, sender, proof.code)
    elif sender["status"] == SenderStatus.EXPIRED:
        raise VerificationExpired
    elif sender["status"] == SenderStatus.PENDING:
        await look_for_record(caller, id, sender["address"])
    return await the_sender(caller, id)


async def _take_code(caller: Caller, sender: SenderRecord, code: str | None) -> None:
    if code is None:
        missing = FieldError("pointer", "/code", "required", "Send the code of the e-mail")
        raise ValidationFailed(errors=[missing])
    hash = code_hash(caller, sender["address"], code)
    if not await confirm(caller, sender["id"], SenderMethod.EMAIL, code=hash, at=now()):
        raise InvalidCode


async def look_for_record(caller: Caller, id: str, address: str) -> bool:
    """Whether the TXT record is there: then the domain is verified, else the outcome is noted. The
    name servers are asked outside of any transaction.
    """
    outcome = await _outcome(caller, address)
    at = now()
    if outcome is None:
        return await confirm(caller, id, SenderMethod.DNS, code=None, at=at)
    waiting = SenderVerification.visible_to(caller).filter(id=id)
    await waiting.update(checked_at=at, outcome=outcome)
    return False


async def _outcome(caller: Caller, address: str) -> RecordCheck | None:
    """What was found; None: the record."""
    domain = address[1:]
    if caller.env == "test":
        return RecordCheck.NOT_FOUND if domain == UNVERIFIED else None
    wanted = record_value(caller.organization_id, caller.env, address)
    try:
        texts = await text_records().texts(record_name(domain))
    except LookUpFailed as failed:
        return RecordCheck.TIMEOUT if failed.timed_out else RecordCheck.FAILED
    if any(text.strip() == wanted for text in texts):
        return None
    return RecordCheck.OTHER_VALUE if texts else RecordCheck.NOT_FOUND
