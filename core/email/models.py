"""The tables of senders, suppressed addresses and the outbox (`email_letters`)."""

from tortoise import fields
from tortoise.migrations.constraints import UniqueConstraint

from core.foundation.database.sql_table import SqlTable
from core.foundation.database.tenancy import OwnedModel
from core.foundation.described_enum import DescribedEnum


class EmailSender(OwnedModel):
    """An address or a domain (`@example.com`) that an organization has shown to be its own."""

    id = fields.BigIntField(primary_key=True)
    address = fields.CharField(max_length=254)
    verified_at = fields.DatetimeField()
    # What is verified by an operator, or by an older version, has none of these.
    public_id = fields.CharField(max_length=30, null=True)
    method = fields.CharField(max_length=10, null=True)
    created_at = fields.DatetimeField(null=True)

    class Meta:
        table = "email_senders"
        constraints = (
            UniqueConstraint(
                fields=("organization_id", "env", "address"), name="email_senders_once"
            ),
        )


class SenderVerification(OwnedModel):
    """An address or a domain that an organization is to show to be its own; gone once it has."""

    id = fields.CharField(max_length=30, primary_key=True)
    address = fields.CharField(max_length=254)
    code_hash = fields.BinaryField(null=True)
    created_at = fields.DatetimeField()
    expires_at = fields.DatetimeField()
    checked_at = fields.DatetimeField(null=True)
    outcome = fields.CharField(max_length=20, null=True)
    due_at = fields.DatetimeField()

    class Meta:
        table = "email_sender_verifications"
        indexes = (("due_at",),)
        constraints = (
            UniqueConstraint(
                fields=("organization_id", "env", "address"), name="email_sender_verifications_once"
            ),
        )


class SenderStatus(DescribedEnum):
    """How a sender stands."""

    PENDING = "pending", "It is not shown yet that it is the organization's own"
    VERIFIED = "verified", "The organization may write from it"
    EXPIRED = "expired", "It was not shown in time; ask for it again"


class SenderMethod(DescribedEnum):
    """How it is shown that a sender is the organization's own."""

    DNS = "dns", "By a TXT record of the domain"
    EMAIL = "email", "By the code of an e-mail to the address"
    OPERATOR = "operator", "By whoever runs the service"


class RecordCheck(DescribedEnum):
    """What the last look-up of a TXT record found, where it did not find the value."""

    NOT_FOUND = "not_found", "There is no TXT record of this name"
    OTHER_VALUE = "other_value", "There are TXT records of this name, and none has the value"
    TIMEOUT = "timeout", "The name servers of the domain did not answer in time"
    FAILED = "failed", "The name servers of the domain answered with an error"


class EmailCategory(DescribedEnum):
    """What an e-mail is for."""

    TRANSACTIONAL = "transacional", "For codes, receipts and notices"
    MARKETING = (
        "marketing",
        "Refused where the recipient said no; it can be unsubscribed from by one click",
    )


class EmailStatus(DescribedEnum):
    """How far an e-mail has come."""

    QUEUED = "queued", "It waits for the mail server, or for its time"
    SENT = "sent", "The mail server took it"
    DELIVERED = "delivered", "The recipient's mail server took it"
    BOUNCED = "bounced", "A mail server gave it back"
    COMPLAINED = "complained", "The recipient reported it as spam"
    FAILED = "failed", "It never left; `reason` says why"


class EmailFailureReason(DescribedEnum):
    """Why an e-mail did not arrive."""

    INVALID_ADDRESS = "invalid_address", "The address does not work and never will"
    MAILBOX_FULL = "mailbox_full", "The recipient's mailbox has no room"
    SUPPRESSED = "suppressed", "The address bounced for good or complained before"
    CONTENT_REJECTED = "content_rejected", "A mail server refused what it says"
    COMPLAINT = "complaint", "The recipient reported it as spam"
    PROVIDER_ERROR = "provider_error", "The mail server did not take it, for no fault of its own"
    NO_VERIFIED_SENDER = "no_verified_sender", "Its sender was not verified any more when it left"
    CANCELED = "canceled", "It was canceled while it waited"


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


class OutboxEmail(OwnedModel, SqlTable):
    """The letter of a message that is still to be handed over, encrypted; gone as soon as its outcome is known.

    SQL alone: the statement that accepts a message writes it; the path of sends reads it and
    deletes batches.
    """

    message_id = fields.CharField(max_length=30, primary_key=True)
    letter = fields.TextField()
    created_at = fields.DatetimeField()

    class Meta:
        table = "email_letters"
