"""The people whom messages are addressed to, and whom of them nobody may write to."""

from core.contacts.denials import Denial, deny
from core.contacts.identity import identity_of_phone
from core.contacts.models import ALL_CHANNELS, Contact, ContactDenial, OptInStatus

__all__ = [
    "ALL_CHANNELS",
    "Contact",
    "ContactDenial",
    "Denial",
    "OptInStatus",
    "deny",
    "identity_of_phone",
]
