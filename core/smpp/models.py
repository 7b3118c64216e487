"""The tables of SMPP."""

from datetime import datetime
from typing import Literal

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.migrations.constraints import UniqueConstraint

from core.foundation.database.indexes import WhereIndex
from core.foundation.database.sql_table import SqlTable
from core.foundation.database.tenancy import OwnedModel
from core.foundation.described_enum import DescribedEnum
from core.organizations.addresses import is_within, networks_of
from core.smpp.passwords import fits


class Throttle(DescribedEnum, rest="SmppThrottle", graphql="SmppThrottle"):
    """What happens to a submit above the ceiling of the organization."""

    REFUSE = "refuse", "It is answered with ESME_RTHROTTLED at once"
    PACE = "pace", "Its answer waits for the ceiling, two seconds at most"


class Charset(DescribedEnum, rest="SmppCharset", graphql="SmppCharset"):
    """What data_coding 0 means."""

    GSM = "gsm", "The default alphabet of GSM, one character a byte"
    LATIN1 = "latin1", "ISO-8859-1"
    ASCII = "ascii", "ASCII"


class WhichReceipts(DescribedEnum, rest="SmppReceipts", graphql="SmppReceipts"):
    """Of which messages a client gets receipts."""

    AS_ASKED = "as_asked", "As registered_delivery of each asks"
    ALWAYS = "always", "Of every end of each, whatever it asks"
    NEVER = "never", "Of none"


class ReceiptIds(DescribedEnum, rest="SmppReceiptIds", graphql="SmppReceiptIds"):
    """What receipts of a text in parts are of."""

    ALL = "all", "Of each part, by its own id"
    FINAL_PART = "final_part", "Of the last part alone, by the id of the message"


class LongReplies(DescribedEnum, rest="SmppLongReplies", graphql="SmppLongReplies"):
    """How a reply comes that is longer than a message."""

    PARTS = "parts", "In parts, each with a user data header"
    PAYLOAD = "payload", "Whole, in message_payload"


class BindMode(DescribedEnum, rest="SmppBindMode", graphql="SmppBindMode"):
    """What a bind may do."""

    TRANSMITTER = "transmitter", "Send"
    RECEIVER = "receiver", "Take receipts and replies"
    TRANSCEIVER = "transceiver", "Both"


class DeliveryKind(DescribedEnum, rest="SmppDeliveryKind", graphql="SmppDeliveryKind"):
    """What is delivered to a client."""

    RECEIPT = "receipt", "What became of a message that it sent, or of a part of one"
    REPLY = "reply", "What a recipient answered to one"


class DeliveryStatus(DescribedEnum, rest="SmppDeliveryStatus", graphql="SmppDeliveryStatus"):
    """Whether it is still tried."""

    WAITING = "waiting", "It is delivered as soon as a receiver takes it"
    DEAD = "dead", "It was refused three times, and waits for a replay"
    EXPIRED = "expired", "Nobody has taken it in 72 hours; it is shown for a week"


class SmppAccount(OwnedModel):
    """What a client binds with. The password is shown once; only its keyed hash is kept. `previous_hash`: the one that
    it replaced, until `previous_until`.
    """

    id = fields.CharField(max_length=30, primary_key=True)
    system_id = fields.CharField(max_length=15)
    password_hash = fields.BinaryField()
    previous_hash = fields.BinaryField(null=True)
    previous_until = fields.DatetimeField(null=True)
    route = fields.CharField(max_length=16)
    ips: fields.Field[list[str] | None] = ArrayField(element_type="text", null=True)
    max_binds = fields.IntField()
    window = fields.IntField()
    throttle = fields.CharEnumField(Throttle, max_length=8)
    charset = fields.CharEnumField(Charset, max_length=8)
    created_at = fields.DatetimeField()
    revoked_at = fields.DatetimeField(null=True)
    dedupe_seconds = fields.SmallIntField(db_default=0, default=0)
    receipts = fields.CharEnumField(
        WhichReceipts, max_length=8, db_default="as_asked", default=WhichReceipts.AS_ASKED
    )
    receipt_ids = fields.CharEnumField(
        ReceiptIds, max_length=10, db_default="all", default=ReceiptIds.ALL
    )
    receipt_zone = fields.CharField(max_length=64, db_default="UTC", default="UTC")
    long_replies = fields.CharEnumField(
        LongReplies, max_length=8, db_default="parts", default=LongReplies.PARTS
    )
    certificates: fields.Field[list[str] | None] = ArrayField(element_type="text", null=True)

    class Meta:
        table = "smpp_accounts"
        indexes = (("organization_id", "env"),)
        constraints = (UniqueConstraint(fields=("system_id",), name="smpp_accounts_system_id_key"),)

    def is_opened_by(self, hashed: bytes, *, at: datetime) -> bool:
        """Whether this is the hash of its password, or of the one before while that is good."""
        if fits(self.password_hash, hashed):
            return True
        old, until = self.previous_hash, self.previous_until
        return old is not None and until is not None and at < until and fits(old, hashed)

    def objection_to(
        self, address: str | None, certificate: str | None
    ) -> Literal["address", "certificate"] | None:
        """What is wrong with where a client binds from, and with what it shows."""
        networks = networks_of(self.ips)
        if networks is not None and not is_within(address, networks):
            return "address"
        if self.certificates is not None and certificate not in self.certificates:
            return "certificate"
        return None


class SmppReceipt(OwnedModel):
    """A receipt that a client wants for what it was told by this id: of a message, or of one of its parts. `wanted`: for
    which ends; `due_at`: when it is delivered, or tried again, once the message has ended as it is wanted.
    """

    id = fields.CharField(max_length=30, primary_key=True)
    message_id = fields.CharField(max_length=30)
    account_id = fields.CharField(max_length=30)
    wanted = fields.SmallIntField()
    source = fields.CharField(max_length=20)
    destination = fields.CharField(max_length=20)
    user_reference = fields.IntField(null=True)
    created_at = fields.DatetimeField()
    status = fields.CharField(max_length=12, null=True)
    reason = fields.CharField(max_length=32, null=True)
    done_at = fields.DatetimeField(null=True)
    due_at = fields.DatetimeField(null=True)
    attempts = fields.SmallIntField(db_default=0, default=0)
    given_up_at = fields.DatetimeField(null=True)
    expired_at = fields.DatetimeField(null=True)

    class Meta:
        table = "smpp_receipts"
        indexes = (
            ("message_id",),
            ("account_id", "due_at"),
            ("created_at",),
            WhereIndex(
                # Nothing that is delivered ever stands here.
                fields=("account_id", "created_at"),
                name="smpp_receipts_left",
                where="given_up_at IS NOT NULL OR expired_at IS NOT NULL",
            ),
        )


class SmppReply(OwnedModel, SqlTable):
    """A reply of a recipient, on its way to the account that sent the message that it answers.

    `message_id` is the reply's, `destination` whom it was written to. Those of one sender are delivered by `id`, one
    after the other.

    SQL alone: a queue, whose replies are kept, claimed and settled in batches.
    """

    id = fields.BigIntField(primary_key=True, generated=True)
    message_id = fields.CharField(max_length=30)
    account_id = fields.CharField(max_length=30)
    sender = fields.CharField(max_length=20)
    destination = fields.CharField(max_length=20)
    created_at = fields.DatetimeField()
    due_at = fields.DatetimeField()
    attempts = fields.SmallIntField(db_default=0, default=0)
    given_up_at = fields.DatetimeField(null=True)
    expired_at = fields.DatetimeField(null=True)

    class Meta:
        table = "smpp_replies"
        indexes = (
            ("account_id", "due_at"),
            ("account_id", "sender", "id"),
            ("created_at",),
            ("organization_id", "created_at", "message_id"),
        )


class SmppBind(OwnedModel):
    """A bind that is open in one of our processes, as long as that renews it: `alive_until`."""

    id = fields.CharField(max_length=30, primary_key=True)
    account_id = fields.CharField(max_length=30)
    process = fields.CharField(max_length=30)
    mode = fields.CharField(max_length=11)
    peer = fields.CharField(max_length=64)
    opened_at = fields.DatetimeField()
    alive_until = fields.DatetimeField()
    ends_at = fields.DatetimeField(null=True)
    submits = fields.BigIntField(db_default=0, default=0)
    deliveries = fields.BigIntField(db_default=0, default=0)
    heard_at = fields.DatetimeField(null=True)
    window_used = fields.SmallIntField(db_default=0, default=0)

    class Meta:
        table = "smpp_binds"
        indexes = (("account_id",), ("process",), ("alive_until",))


class SmppSubmit(OwnedModel, SqlTable):
    """What an account has submitted a moment ago, by a keyed hash: the same again until `until` is that message. `key`:
    under which it is sent once; `came_at`: from when its relative times count.

    SQL alone: one statement finds the first of the same submits, or notes it, for a batch.
    """

    id = fields.CharField(max_length=64, primary_key=True)
    account_id = fields.CharField(max_length=30)
    key = fields.CharField(max_length=40)
    came_at = fields.DatetimeField()
    until = fields.DatetimeField()

    class Meta:
        table = "smpp_submits"
        indexes = (("until",),)


class SmppPart(OwnedModel):
    """A part of a long text, until all of it is there, and ten minutes at most. `sealed`: its octets; `message_id`: what
    the parts became together.
    """

    id = fields.CharField(max_length=30, primary_key=True)
    account_id = fields.CharField(max_length=30)
    source = fields.CharField(max_length=20)
    destination = fields.CharField(max_length=20)
    reference = fields.IntField()
    total = fields.SmallIntField()
    number = fields.SmallIntField()
    coding = fields.SmallIntField()
    digest = fields.BinaryField()
    sealed = fields.TextField()
    message_id = fields.CharField(max_length=30, null=True)
    wanted = fields.SmallIntField(db_default=0, default=0)
    received_at = fields.DatetimeField()

    class Meta:
        table = "smpp_parts"
        indexes = (("received_at",),)
        constraints = (
            UniqueConstraint(
                fields=("account_id", "source", "destination", "reference", "total", "number"),
                name="smpp_parts_once",
            ),
        )
