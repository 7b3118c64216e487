"""The hash under which a phone is known, also after its contact was erased."""

from core.foundation.phones import canonical_br
from core.foundation.secrets import keyed_hash
from core.foundation.settings import current


def identity_of_phone(organization_id: str, phone: str) -> bytes:
    """The keyed hash of a phone inside one organization; a mobile with and without its ninth digit are one."""
    return keyed_hash(current().hash_key.encode(), f"phone:{organization_id}:{canonical_br(phone)}")
