"""Contacts, what they consented to, and the denials that outlive them."""

from typing import Any

from tortoise import fields
from tortoise.contrib.postgres.fields import ArrayField
from tortoise.contrib.postgres.indexes import GinIndex
from tortoise.migrations.constraints import UniqueConstraint

from core.foundation.channels import ChannelSet
from core.foundation.database.indexes import ExpressionIndex, WhereIndex
from core.foundation.database.sql_table import SqlTable
from core.foundation.database.tenancy import OwnedModel
from core.foundation.described_enum import DescribedEnum


class OptInStatus(DescribedEnum):
    """What a contact consented to."""

    GRANTED = "granted", "The person agreed to be written to"
    DENIED = "denied", "The person asked not to be written to"
    UNKNOWN = "unknown", "The person was never asked"


class Source(DescribedEnum, rest="ContactSource", graphql="ContactSource"):
    """What made the contact."""

    MANUAL = "manual", "A person typed it in"
    IMPORT = "import", "It came with a list of contacts"
    API = "api", "A program created it"
    WEBHOOK = "webhook", "A message that it wrote"


class CompanyRole(DescribedEnum, graphql="PapelNaEmpresa"):
    """The part that a person plays in a company."""

    DECIDES = "decisor", "Decides on what is bought"
    FINANCE = "financeiro", "Pays"
    OPERATION = "operacao", "Works with what is bought"
    OTHER = "outro", "Any other part"


class DebtStatus(DescribedEnum):
    """Whether debts are overdue."""

    OVERDUE = "vencida", "The date of payment is past"
    IN_ARREARS = "em_atraso", "Payments are late"
    UP_TO_DATE = "em_dia", "Everything that was due is paid"


class OptOutChannel(
    ChannelSet,
    of=lambda facts: facts.opt_out,
    besides={"ALL": ("todos", "Every channel")},
    graphql="ConsentChannel",
):
    """What a person may close: a channel, or all of them."""


class AttributeKind(DescribedEnum):
    """The kind of an attribute's values."""

    TEXT = "texto", "Text"
    NUMBER = "numero", "A number"
    BOOLEAN = "booleano", "True or false"
    LIST = "lista", "A list of texts"


class ContactFieldKind(DescribedEnum):
    """The kind of a field's values."""

    TEXT = "texto", "Text"
    NUMBER = "numero", "A number"
    BOOLEAN = "booleano", "True or false"
    DATE = "data", "A day or a moment"
    LIST = "lista", "A list of texts"


class FieldOrigin(DescribedEnum, rest="ContactFieldOrigin", graphql="ContactFieldOrigin"):
    """Where a field of contacts comes from."""

    STANDARD = "padrao", "Every contact may have it"
    ATTRIBUTE = "atributo", "An attribute that some contact has had"
    INTEGRATION = "integracao", "An id in an integrated system"


ALL_CHANNELS = OptOutChannel("todos")


class Contact(OwnedModel):
    """A person the organization may write to. The phone is the natural identity.

    `search_text` is kept by a trigger: name, profile name, e-mail and phone, a line each, without case and accents.
    """

    id = fields.CharField(max_length=30, primary_key=True)
    phone = fields.CharField(max_length=16)
    identity = fields.BinaryField()
    name = fields.CharField(max_length=200, null=True)
    email = fields.CharField(max_length=254, null=True)
    avatar_url = fields.TextField(null=True)
    whatsapp_profile_name = fields.CharField(max_length=200, null=True)
    cpf_cipher = fields.TextField(null=True)
    cnpj_cipher = fields.TextField(null=True)
    birth_date_cipher = fields.TextField(null=True)
    attributes: fields.Field[dict[str, Any]] = fields.JSONField(db_default="{}")
    debtor_groups: fields.Field[list[dict[str, Any]] | None] = fields.JSONField(null=True)
    tags: fields.Field[list[str]] = ArrayField(element_type="text", db_default=[])
    opt_in_status = fields.CharEnumField(OptInStatus, max_length=8, default=OptInStatus.UNKNOWN)
    opt_in_source = fields.CharField(max_length=120, null=True)
    opt_in_at = fields.DatetimeField(null=True)
    opt_in_ip = fields.CharField(max_length=45, null=True)
    opt_in_user_agent = fields.CharField(max_length=400, null=True)
    opt_in_revoked_at = fields.DatetimeField(null=True)
    opt_in_revoked_reason = fields.CharField(max_length=200, null=True)
    source = fields.CharEnumField(Source, max_length=8, db_default="manual")
    external_id = fields.CharField(max_length=200, null=True)
    external_ids: fields.Field[dict[str, str] | None] = fields.JSONField(null=True)
    company_id = fields.CharField(max_length=30, null=True)
    company_role = fields.CharEnumField(CompanyRole, max_length=10, null=True)
    last_interaction_at = fields.DatetimeField(null=True)
    search_text = fields.TextField(null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "contacts"
        indexes = (
            ("organization_id", "env", "created_at", "id"),
            ("organization_id", "env", "updated_at", "id"),
            ExpressionIndex(
                parts=("organization_id", "env", "(lower(email))"),
                name="contacts_by_email",
                where="email IS NOT NULL",
            ),
            WhereIndex(
                fields=("organization_id", "env", "company_id"),
                name="contacts_by_company",
                where="company_id IS NOT NULL",
            ),
            WhereIndex(
                fields=("organization_id", "env", "last_interaction_at"),
                name="contacts_by_interaction",
                where="last_interaction_at IS NOT NULL",
            ),
            WhereIndex(
                fields=("organization_id", "env", "id"),
                name="contacts_without_interaction",
                where="last_interaction_at IS NULL",
            ),
            # Totals by either are counted from this index alone.
            ("organization_id", "env", "source", "opt_in_status"),
            GinIndex(fields=("tags",), name="contacts_tags"),
            GinIndex(fields=("attributes",), name="contacts_attributes"),
            ExpressionIndex(
                parts=("(svc_trigrams(search_text))",), name="contacts_search", using="GIN"
            ),
        )
        constraints = (
            UniqueConstraint(
                fields=("organization_id", "env", "identity"), name="contacts_phone_key"
            ),
            UniqueConstraint(
                fields=("organization_id", "env", "external_id"),
                name="contacts_external_id_key",
                condition="external_id IS NOT NULL",
            ),
        )


class ContactAttribute(OwnedModel):
    """A key that some contact's attributes have had, with the kinds of value seen under it."""

    id = fields.BigIntField(primary_key=True)
    key = fields.CharField(max_length=64)
    kind = fields.CharEnumField(AttributeKind, max_length=8)
    created_at = fields.DatetimeField()

    class Meta:
        table = "contact_attributes"
        constraints = (
            UniqueConstraint(
                fields=("organization_id", "env", "key", "kind"), name="contact_attributes_once"
            ),
        )


class ContactConsent(OwnedModel):
    """One move of a contact's consent, with its proof. Append-only; `contact_id` goes when the contact does."""

    id = fields.BigIntField(primary_key=True)
    contact_id = fields.CharField(max_length=30, null=True)
    identity = fields.BinaryField()
    channel = fields.CharField(max_length=10)
    status = fields.CharEnumField(OptInStatus, max_length=8)
    source = fields.CharField(max_length=120, null=True)
    at = fields.DatetimeField()
    date_informed = fields.BooleanField()
    ip = fields.CharField(max_length=45, null=True)
    user_agent = fields.CharField(max_length=400, null=True)
    reason = fields.CharField(max_length=200, null=True)
    credential_id = fields.CharField(max_length=30, null=True)
    request_id = fields.CharField(max_length=64, null=True)
    created_at = fields.DatetimeField()

    class Meta:
        table = "contact_consents"
        indexes = (
            ("organization_id", "env", "identity"),
            WhereIndex(
                fields=("organization_id", "env", "contact_id", "created_at"),
                name="contact_consents_of",
                where="contact_id IS NOT NULL",
            ),
            ("organization_id", "env", "created_at", "status"),
        )


class ContactDenial(OwnedModel, SqlTable):
    """«Do not write to me», per channel or for all. Kept by the hash of the address: it survives the contact.

    SQL alone: denials of a batch of contacts are put in force, lifted and looked for together.
    """

    id = fields.BigIntField(primary_key=True)
    identity = fields.BinaryField()
    channel = fields.CharField(max_length=10)
    reason = fields.CharField(max_length=200, null=True)
    source = fields.CharField(max_length=120, null=True)
    denied_at = fields.DatetimeField()
    created_at = fields.DatetimeField()

    class Meta:
        table = "contact_denials"
        constraints = (
            UniqueConstraint(
                fields=("organization_id", "env", "identity", "channel"),
                name="contact_denials_once",
            ),
        )


class OptOutWordList(OwnedModel):
    """The words by which people leave and come back, where an organization has chosen its own. A list may be empty."""

    id = fields.BigIntField(primary_key=True)
    leaving: fields.Field[list[str]] = ArrayField(element_type="text", db_default=[])
    returning: fields.Field[list[str]] = ArrayField(element_type="text", db_default=[])
    updated_at = fields.DatetimeField()

    class Meta:
        table = "opt_out_words"
        constraints = (
            UniqueConstraint(fields=("organization_id", "env"), name="opt_out_words_once"),
        )
