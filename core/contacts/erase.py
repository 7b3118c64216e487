"""Erasing the row of a contact; what else names the person is erased before it (core.privacy)."""

from core.contacts.models import Contact, ContactConsent
from core.foundation.security.caller import Caller


async def erase_row(caller: Caller, id: str) -> None:
    """Delete a locked contact. The consent ledger and the denials keep the keyed hash of the phone alone."""
    consents = ContactConsent.visible_to(caller).filter(contact_id=id)
    await consents.update(contact_id=None, ip=None, user_agent=None)
    await Contact.visible_to(caller).filter(id=id).delete()
