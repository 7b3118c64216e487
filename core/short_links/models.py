"""The short links of messages that were sent with trackLinks."""

from tortoise import fields

from core.foundation.database.indexes import WhereIndex
from core.foundation.database.sql_table import SqlTable
from core.foundation.database.tenancy import OwnedModel

CODE_LENGTH = 10
"""62^10 codes: at a billion links a guess hits one in 840 million, and two links hardly ever draw the same code."""


class ShortLink(OwnedModel, SqlTable):
    """One address in one message. Whoever knows the code may follow it: the code is the only credential.

    `position` is the link's place in the text. `clicks` and the two times count people only, `bot_clicks` the
    rest; both are wide, because anyone can drive them up.

    SQL alone: links are stored with a batch of messages, found in all cells by their codes, and
    clicks on many counted together.
    """

    code = fields.CharField(max_length=CODE_LENGTH, primary_key=True)
    message_id = fields.CharField(max_length=30)
    channel = fields.CharField(max_length=10)
    position = fields.SmallIntField()
    url = fields.TextField()
    clicks = fields.BigIntField(default=0)
    bot_clicks = fields.BigIntField(default=0)
    first_clicked_at = fields.DatetimeField(null=True)
    last_clicked_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "short_links"
        indexes = (
            ("message_id",),
            # By the time of the first click, which stays: clicks alone would move a link in it with each of them.
            WhereIndex(
                fields=("organization_id", "env", "message_id"),
                name="short_links_clicked",
                where="first_clicked_at IS NOT NULL",
            ),
        )
