"""The tables of `svc smpp-link`."""

from tortoise import fields

from core.foundation.database.indexes import WhereIndex
from core.foundation.database.sql_table import SqlTable
from core.foundation.database.tenancy import OwnedModel


class SmppLinkMessage(OwnedModel):
    """A message that was handed to an operator's SMSC, noted before: its id leaves once. `recipient`: a keyed hash of the
    phone; `told`: the state that was reported of it.
    """

    id = fields.CharField(max_length=80, primary_key=True)
    recipient = fields.BinaryField()
    parts = fields.SmallIntField(db_default=0, default=0)
    state = fields.CharField(max_length=8)
    reason = fields.CharField(max_length=32, null=True)
    reference = fields.CharField(max_length=80, null=True)
    told = fields.CharField(max_length=12, null=True)
    begun_at = fields.DatetimeField()

    class Meta:
        table = "smpp_link_messages"
        indexes = (("recipient", "begun_at"), ("begun_at",))


class SmppLinkPart(OwnedModel, SqlTable):
    """A part that an operator has taken under an id of its own, `smsc_id`, which its receipt names. `state`: what that
    said. `said_id`: that id as the operator wrote it, `source`: whom it was sent as, `ask_at`: when the operator is
    asked what became of it, where no receipt comes.

    SQL alone: parts are noted, asked about and matched with their receipts in batches.
    """

    id = fields.CharField(max_length=84, primary_key=True)
    message_id = fields.CharField(max_length=80)
    link = fields.CharField(max_length=24)
    smsc_id = fields.CharField(max_length=65)
    state = fields.CharField(max_length=12, null=True)
    taken_at = fields.DatetimeField()
    said_id = fields.CharField(max_length=65, null=True)
    source = fields.CharField(max_length=20, null=True)
    ask_at = fields.DatetimeField(null=True)

    class Meta:
        table = "smpp_link_parts"
        indexes = (
            ("link", "smsc_id"),
            ("message_id",),
            ("taken_at",),
            WhereIndex(
                fields=("link", "ask_at"), name="smpp_link_parts_to_ask", where="ask_at IS NOT NULL"
            ),
        )


class SmppLinkReport(SqlTable):
    """A receipt or a reply of an operator, until the service has taken it: nobody's until its message is found. `sealed`:
    the phone, and the text of a reply.

    SQL alone: a queue, whose reports are kept, claimed and dropped in batches.
    """

    id = fields.BigIntField(primary_key=True, generated=True)
    kind = fields.CharField(max_length=7)
    link = fields.CharField(max_length=24)
    recipient = fields.BinaryField()
    sealed = fields.TextField()
    smsc_id = fields.CharField(max_length=65, null=True)
    user_reference = fields.IntField(null=True)
    state = fields.CharField(max_length=12, null=True)
    told_at = fields.DatetimeField()
    due_at = fields.DatetimeField()
    created_at = fields.DatetimeField()

    class Meta:
        table = "smpp_link_reports"
        indexes = (("due_at",), ("link", "smsc_id"))
