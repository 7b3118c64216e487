"""The tables of verified senders, suppressed addresses and the outbox (`email_letters`)."""

from tortoise import fields
from tortoise.migrations.constraints import UniqueConstraint

from core.foundation.database.tenancy import OwnedModel


class EmailSender(OwnedModel):
    """An address or a domain (`@example.com`) that an organization has shown to be its own."""

    id = fields.BigIntField(primary_key=True)
    address = fields.CharField(max_length=254)
    verified_at = fields.DatetimeField()

    class Meta:
        table = "email_senders"
        constraints = (
            UniqueConstraint(
                fields=("organization_id", "env", "address"), name="email_senders_once"
            ),
        )


class EmailSuppression(OwnedModel):
    """An address that bounced for good, or whose owner complained. Kept by its hash: it outlives the contact."""

    id = fields.BigIntField(primary_key=True)
    identity = fields.BinaryField()
    reason = fields.CharField(max_length=20)
    message_id = fields.CharField(max_length=30, null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "email_suppressions"
        indexes = (("organization_id", "env", "created_at"),)
        constraints = (
            UniqueConstraint(
                fields=("organization_id", "env", "identity"), name="email_suppressions_once"
            ),
        )


class OutboxEmail(OwnedModel):
    """The letter of a message that is still to be handed over, encrypted; gone as soon as its outcome is known."""

    message_id = fields.CharField(max_length=30, primary_key=True)
    letter = fields.TextField()
    created_at = fields.DatetimeField()

    class Meta:
        table = "email_letters"
