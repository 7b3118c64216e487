"""Static lists and who is on them."""

from tortoise import fields
from tortoise.migrations.constraints import UniqueConstraint

from core.foundation.database.tenancy import OwnedModel


class ContactList(OwnedModel):
    """A named set of contacts. `size` is kept by every statement that moves members."""

    id = fields.CharField(max_length=30, primary_key=True)
    name = fields.CharField(max_length=120)
    description = fields.CharField(max_length=500, null=True)
    size = fields.IntField(default=0)
    created_by_id = fields.CharField(max_length=30, null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "contact_lists"
        indexes = (("organization_id", "env", "created_at", "id"),)
        constraints = (
            UniqueConstraint(
                fields=("organization_id", "env", "name"), name="contact_lists_name_key"
            ),
        )


class ContactListMember(OwnedModel):
    """One contact on one list."""

    id = fields.BigIntField(primary_key=True)
    list_id = fields.CharField(max_length=30)
    contact_id = fields.CharField(max_length=30)
    created_at = fields.DatetimeField()

    class Meta:
        table = "contact_list_members"
        indexes = (("contact_id",),)
        constraints = (
            UniqueConstraint(fields=("list_id", "contact_id"), name="contact_list_members_once"),
        )
