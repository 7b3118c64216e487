"""After a new key: everything that is stored encrypted, under it."""

from dataclasses import dataclass

from core import cells, contacts, email, numbers, organizations, push, sms, webhooks


@dataclass(frozen=True, slots=True)
class Renewal:
    """How many records were encrypted again, and how many no key opens: those stayed as they are."""

    renewed: int
    lost: int


async def renew_encryption() -> Renewal:
    """Encrypt again what an older key of SVC_ENCRYPTION_KEYS made. Safe beside a running service,
    and repeatable.
    """
    found = [await cells.renew_addresses()]
    for cell in await cells.every_cell():
        with cells.use_cell(cell):
            found += [
                await webhooks.renew_secrets(),
                await contacts.renew_documents(),
                await push.renew_credentials(),
                await numbers.renew_credentials(),
                await organizations.renew_second_factors(),
                await sms.renew_texts(),
                await email.renew_letters(),
            ]
    return Renewal(sum(renewed for renewed, _ in found), sum(lost for _, lost in found))
