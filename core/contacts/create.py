"""Creating a contact."""

from core.contacts.inputs import NewContact
from core.contacts.record import CONTACT, ContactRecord
from core.contacts.register import register
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, Scope


async def create_contact(caller: Caller, new: NewContact) -> ContactRecord:
    """Register a person; the database, not a prior read, decides who was first. Answers the record.

    Raises PhoneAlreadyRegistered, ExternalIdTaken, ConsentInTheFuture and NoSuchCompany.
    """
    caller.require(Scope.CONTACTS_WRITE)
    async with transaction():
        (row,) = await register(caller, [new], at=now())
    return CONTACT.make_for(caller, row)
