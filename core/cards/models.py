"""Cards, the people on them, their history, activities and files."""

from typing import Any

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.migrations.constraints import UniqueConstraint

from core.foundation.database.indexes import ExpressionIndex, WhereIndex
from core.foundation.database.tenancy import OwnedModel
from core.foundation.described_enum import DescribedEnum


class CardStatus(DescribedEnum):
    """What became of a deal: the outcome of the stage that the card is in."""

    OPEN = "aberto", "It goes on"
    WON = "ganho", "It was won"
    LOST = "perdido", "It was lost"


class CardOrigin(DescribedEnum):
    """What made a card."""

    MANUAL = "manual", "A person"
    API = "api", "A program"
    IMPORT = "import", "An import"
    CONVERSATION = "conversa", "A conversation"


class CardOrder(DescribedEnum):
    """What cards are ordered by. A leading `-` turns it round."""

    RANK = "ordem", "By their place in the stage"
    VALUE = "valor", "By their worth, the least first"
    EXPECTED_ON = (
        "dataPrevista",
        "By the day on which they are expected to be won, the earliest first",
    )
    UPDATED_AT = "updatedAt", "By their last change, the earliest first"
    CREATED_AT = "createdAt", "By their creation, the earliest first"
    RANK_REVERSED = "-ordem", "By their place in the stage, from behind"
    VALUE_REVERSED = "-valor", "By their worth, the most first"
    EXPECTED_ON_REVERSED = (
        "-dataPrevista",
        "By the day on which they are expected to be won, the latest first",
    )
    UPDATED_AT_REVERSED = "-updatedAt", "By their last change, the latest first"
    CREATED_AT_REVERSED = "-createdAt", "By their creation, the latest first"


class HistoryKind(DescribedEnum, rest="CardHistoryType", graphql="CardHistoryKind"):
    """What happened to a card."""

    CREATED = "criado", "It was made"
    MOVED = "movido", "It came into another stage"
    WON = "ganho", "The deal was won"
    LOST = "perdido", "The deal was lost"
    REOPENED = "reaberto", "The deal was taken up again"
    TRANSFERRED = "transferido", "It came onto another pipeline"
    FIELD = "campo", "A field of it changed"


class ActivityKind(DescribedEnum, rest="ActivityType"):
    """What an activity is."""

    NOTE = "nota", "A note"
    TASK = "tarefa", "A task"
    CALL = "ligacao", "A call"
    MEETING = "reuniao", "A meeting"
    EMAIL = "email", "An e-mail"
    MESSAGE = "mensagem", "A message"


class Card(OwnedModel):
    """A deal. `rank` orders a stage's cards as bytes (collation C); `version` counts the card's changes.

    `value` is in units of `currency`, with two decimals.
    """

    id = fields.CharField(max_length=30, primary_key=True)
    pipeline_id = fields.CharField(max_length=30)
    stage_id = fields.CharField(max_length=30)
    title = fields.CharField(max_length=160)
    status = fields.CharEnumField(CardStatus, max_length=7)
    rank = fields.CharField(max_length=64)
    version = fields.IntField(default=1)
    value = fields.DecimalField(max_digits=15, decimal_places=2, null=True)
    currency = fields.CharField(max_length=3)
    expected_on = fields.DateField(null=True)
    probability = fields.SmallIntField(null=True)
    stage_since = fields.DatetimeField()
    won_at = fields.DatetimeField(null=True)
    lost_at = fields.DatetimeField(null=True)
    closed_by_id = fields.CharField(max_length=30, null=True)
    contact_id = fields.CharField(max_length=30, null=True)
    company_id = fields.CharField(max_length=30, null=True)
    owner_id = fields.CharField(max_length=30, null=True)
    lost_reason_id = fields.CharField(max_length=30, null=True)
    lost_note = fields.CharField(max_length=1000, null=True)
    attributes: fields.Field[dict[str, Any]] = fields.JSONField()
    tags: fields.Field[list[str]] = ArrayField(element_type="text")
    origin = fields.CharField(max_length=8)
    origin_message_id = fields.CharField(max_length=30, null=True)
    external_id = fields.CharField(max_length=200, null=True)
    created_by_id = fields.CharField(max_length=30)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "cards"
        indexes = (
            ExpressionIndex(parts=("stage_id", '(rank COLLATE "C")'), name="cards_of_stage"),
            ("organization_id", "env", "pipeline_id", "status", "created_at"),
            ("organization_id", "env", "created_at", "id"),
            ("organization_id", "env", "updated_at", "id"),
            WhereIndex(
                fields=("organization_id", "env", "contact_id"),
                name="cards_by_contact",
                where="contact_id IS NOT NULL",
            ),
            WhereIndex(
                fields=("organization_id", "env", "company_id", "status"),
                name="cards_by_company",
                where="company_id IS NOT NULL",
            ),
            WhereIndex(
                fields=("organization_id", "env", "owner_id"),
                name="cards_by_owner",
                where="owner_id IS NOT NULL",
            ),
            WhereIndex(
                fields=("lost_reason_id",),
                name="cards_by_lost_reason",
                where="lost_reason_id IS NOT NULL",
            ),
        )
        constraints = (
            UniqueConstraint(fields=("stage_id", "rank"), name="cards_rank_key"),
            UniqueConstraint(
                fields=("organization_id", "env", "external_id"),
                name="cards_external_id_key",
                condition="external_id IS NOT NULL",
            ),
        )


class CardContact(OwnedModel):
    """A person on a card, besides or as the principal one."""

    id = fields.BigIntField(primary_key=True)
    card_id = fields.CharField(max_length=30)
    contact_id = fields.CharField(max_length=30)
    role = fields.CharField(max_length=60, null=True)
    principal = fields.BooleanField(default=False)
    position = fields.SmallIntField()

    class Meta:
        table = "card_contacts"
        indexes = (("contact_id",),)
        constraints = (
            UniqueConstraint(fields=("card_id", "contact_id"), name="card_contacts_once"),
        )


class CardHistory(OwnedModel):
    """What happened to a card. A stay in a stage is open until `left_at`; names of stages are those of the time."""

    id = fields.CharField(max_length=30, primary_key=True)
    card_id = fields.CharField(max_length=30)
    pipeline_id = fields.CharField(max_length=30)
    kind = fields.CharField(max_length=11)
    from_stage_id = fields.CharField(max_length=30, null=True)
    from_name = fields.CharField(max_length=60, null=True)
    to_stage_id = fields.CharField(max_length=30, null=True)
    to_name = fields.CharField(max_length=60, null=True)
    field = fields.CharField(max_length=40, null=True)
    entered_at = fields.DatetimeField(null=True)
    left_at = fields.DatetimeField(null=True)
    seconds = fields.BigIntField(null=True)
    lost_reason_id = fields.CharField(max_length=30, null=True)
    by_id = fields.CharField(max_length=30, null=True)
    by_name = fields.CharField(max_length=120, null=True)
    at = fields.DatetimeField()

    class Meta:
        table = "card_history"
        indexes = (
            ("card_id", "at", "id"),
            ("organization_id", "env", "pipeline_id", "to_stage_id", "entered_at"),
        )
        constraints = (
            UniqueConstraint(
                fields=("card_id",),
                name="card_history_one_open_stay",
                condition="entered_at IS NOT NULL AND left_at IS NULL",
            ),
        )


class Activity(OwnedModel):
    """A note, a task, a call: something done or to be done about a deal."""

    id = fields.CharField(max_length=30, primary_key=True)
    card_id = fields.CharField(max_length=30)
    kind = fields.CharField(max_length=8)
    title = fields.CharField(max_length=200, null=True)
    text = fields.TextField(null=True)
    due_at = fields.DatetimeField(null=True)
    done_at = fields.DatetimeField(null=True)
    owner_id = fields.CharField(max_length=30, null=True)
    message_id = fields.CharField(max_length=30, null=True)
    created_by_id = fields.CharField(max_length=30)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "card_activities"
        indexes = (
            ("card_id", "created_at"),
            WhereIndex(
                fields=("card_id", "due_at"), name="card_activities_open", where="done_at IS NULL"
            ),
        )


class CardFile(OwnedModel):
    """A file of a card; its bytes are in the blob store under `blob_key`. `size` is in bytes."""

    id = fields.CharField(max_length=30, primary_key=True)
    card_id = fields.CharField(max_length=30)
    name = fields.CharField(max_length=255)
    mime_type = fields.CharField(max_length=120)
    size = fields.BigIntField()
    sha256 = fields.CharField(max_length=64)
    blob_key = fields.CharField(max_length=120)
    created_by_id = fields.CharField(max_length=30)
    created_at = fields.DatetimeField()

    class Meta:
        table = "card_files"
        indexes = (("card_id", "created_at", "id"),)
