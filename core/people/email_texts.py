"""The texts of the service's own e-mails, in Portuguese and English."""

from core.email.system_emails import SystemEmail
from core.foundation.settings import current
from core.organizations import LetterLanguage

_RESET = {
    LetterLanguage.PORTUGUESE: (
        "Nova senha para {organization}",
        """Olá, {name},

alguém pediu uma nova senha para a sua conta em {organization}. Para escolhê-la, abra em até 1 hora:

{link}

Se não foi você, ignore esta mensagem: nada muda, e o link só funciona para quem a recebeu.
""",
    ),
    LetterLanguage.ENGLISH: (
        "A new password for {organization}",
        """Hello {name},

somebody asked for a new password for your account at {organization}. To choose it, open within 1 hour:

{link}

If it was not you, ignore this message: nothing changes, and the link works only for whoever got it.
""",
    ),
}


_INVITATION = {
    LetterLanguage.PORTUGUESE: (
        "Convite para {organization}",
        """Olá, {name},

você foi convidado para trabalhar com {organization}. Para aceitar e escolher uma senha, abra em até 72 horas:

{link}

Se você não conhece {organization}, ignore esta mensagem.
""",
    ),
    LetterLanguage.ENGLISH: (
        "Invitation to {organization}",
        """Hello {name},

you are invited to work with {organization}. To accept and choose a password, open within 72 hours:

{link}

If you do not know {organization}, ignore this message.
""",
    ),
}


def invitation_email(
    language: LetterLanguage, *, to: str, name: str, organization: str, token: str
) -> SystemEmail:
    """How somebody learns of an invitation."""
    subject, text = _INVITATION[language]
    facts = {"name": name, "organization": organization, "link": link_of("accept", token)}
    return SystemEmail(to, subject.format(**facts), text.format(**facts))


def reset_email(
    language: LetterLanguage, *, to: str, name: str, organization: str, token: str
) -> SystemEmail:
    """How somebody gets a new password."""
    subject, text = _RESET[language]
    facts = {"name": name, "organization": organization, "link": link_of("reset", token)}
    return SystemEmail(to, subject.format(**facts), text.format(**facts))


def link_of(what: str, token: str) -> str:
    """An address that a person opens. What stands behind `#` stays in the browser: no proxy and no
    log learns it.
    """
    settings = current()
    return f"{settings.account_page or f'{settings.base_url}/account'}#{what}={token}"
