"""The e-mail with a code that shows whose an address is, in Portuguese and English."""

from core import organizations
from core.email.inputs import SenderRequest
from core.email.system_emails import SystemEmail, send_system_email
from core.foundation.ids import random_base62
from core.foundation.security.caller import Caller
from core.foundation.security.secrets import keyed_hash
from core.foundation.settings import current
from core.organizations import LetterLanguage

CODE_LENGTH = 16
"""Characters of base62: 95 bits."""

_TEXTS = {
    LetterLanguage.PORTUGUESE: (
        "Confirme o endereço de remetente de {organization}",
        """Olá,

{organization} quer enviar e-mails a partir de {address}. Se você concorda, informe este código a quem pediu, em até 24 horas:

{code}

Se não foi você, ou se não conhece {organization}, ignore esta mensagem e não passe o código a ninguém: sem ele nada acontece.
""",
    ),
    LetterLanguage.ENGLISH: (
        "Confirm the sender address of {organization}",
        """Hello,

{organization} wants to send e-mail from {address}. If you agree, give this code to whoever asked for it, within 24 hours:

{code}

If it was not you, or you do not know {organization}, ignore this message and give the code to nobody: without it nothing happens.
""",
    ),
}


def new_code() -> str:
    """What the e-mail holds; it is kept by its hash alone."""
    return random_base62(CODE_LENGTH)


def code_hash(caller: Caller, address: str, code: str) -> bytes:
    """Under what the code for an address is kept."""
    text = f"sender code {caller.organization_id} {caller.env} {address} {code}"
    return keyed_hash(current().hash_key.encode(), text)


async def send_code(caller: Caller, new: SenderRequest, code: str) -> bool:
    """Put the e-mail into the outbox, in the transaction around; False where it would not arrive."""
    organization = await organizations.organization_of(caller)
    subject, text = _TEXTS[new.language]
    facts = {"organization": organization["nome"], "address": new.address, "code": code}
    email = SystemEmail(new.address, subject.format(**facts), text.format(**facts))
    return await send_system_email(caller, email)
