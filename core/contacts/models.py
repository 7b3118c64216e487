"""Contacts, and the denials that outlive them."""

from enum import StrEnum

from tortoise import fields
from tortoise.migrations.constraints import UniqueConstraint

from core.foundation.tenancy import OwnedModel

ALL_CHANNELS = "todos"


class OptInStatus(StrEnum):
    GRANTED = "granted"
    DENIED = "denied"
    UNKNOWN = "unknown"


class Contact(OwnedModel):
    """A person the organization may write to. The phone is the natural identity."""

    id = fields.CharField(max_length=30, primary_key=True)
    phone = fields.CharField(max_length=16)
    identity = fields.BinaryField()
    opt_in_status = fields.CharEnumField(OptInStatus, max_length=8, default=OptInStatus.UNKNOWN)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "contacts"
        constraints = (UniqueConstraint(fields=("organization_id", "env", "identity"), name="contacts_phone_key"),)


class ContactDenial(OwnedModel):
    """«Do not write to me», per channel or for all. Kept by the hash of the address: it survives the contact."""

    id = fields.BigIntField(primary_key=True)
    identity = fields.BinaryField()
    channel = fields.CharField(max_length=10)
    reason = fields.CharField(max_length=200, null=True)
    source = fields.CharField(max_length=80, null=True)
    denied_at = fields.DatetimeField()
    created_at = fields.DatetimeField()

    class Meta:
        table = "contact_denials"
        constraints = (
            UniqueConstraint(fields=("organization_id", "env", "identity", "channel"), name="contact_denials_once"),
        )
