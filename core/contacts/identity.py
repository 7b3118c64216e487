"""Keyed hashes of phones and e-mail addresses, which outlive the erasure of their contact."""

from core.foundation.security.caller import Caller
from core.foundation.security.secrets import keyed_hash
from core.foundation.settings import current
from core.foundation.validation.phones import canonical_br


def phone_identity(caller: Caller, phone: str) -> bytes:
    """The keyed hash of a phone in E.164 inside the caller's organization."""
    return identity_of_phone(caller.organization_id, phone, unified=caller.unifies_ninth_digit)


def identity_of_phone(organization_id: str, phone: str, *, unified: bool = True) -> bytes:
    """The same for an organization whose setting is known; unified, a Brazilian mobile with and
    without its ninth digit is one phone.
    """
    form = canonical_br(phone) if unified else phone
    return keyed_hash(current().hash_key.encode(), f"phone:{organization_id}:{form}")


def identities_of_phone(organization_id: str, phone: str) -> tuple[bytes, bytes]:
    """The same for an organization whose setting is not known: the hashes with and without
    unification.
    """
    return identity_of_phone(organization_id, phone), identity_of_phone(
        organization_id, phone, unified=False
    )


def identity_of_email(organization_id: str, email: str) -> bytes:
    """The keyed hash of an address inside one organization, in any case."""
    return keyed_hash(current().hash_key.encode(), f"email:{organization_id}:{email.lower()}")
