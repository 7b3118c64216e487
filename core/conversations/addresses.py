"""Identities: the keyed hashes under which the recipients of conversations are known."""

from core import contacts
from core.foundation.security.secrets import keyed_hash
from core.foundation.settings import current
from core.messaging import Channel


def identity_of(channel: str, organization_id: str, address: str, *, unified: bool = True) -> bytes:
    """The keyed hash of a phone in E.164, the one of its contact, or of an Instagram scoped id.

    `unified`: the organization holds a mobile with and without its ninth digit for one phone.
    """
    if channel == Channel.INSTAGRAM:
        return keyed_hash(current().hash_key.encode(), f"instagram:{organization_id}:{address}")
    return contacts.identity_of_phone(organization_id, address, unified=unified)
