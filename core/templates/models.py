"""The table of message templates, approved by the platform before use."""

from typing import Any

from tortoise import fields
from tortoise.migrations.constraints import UniqueConstraint

from core.foundation.database.indexes import WhereIndex
from core.foundation.database.tenancy import OwnedModel
from core.foundation.described_enum import DescribedEnum


class TemplateStatus(DescribedEnum):
    """How a template stands. Only an approved one may be sent."""

    DRAFT = "draft", "It is being written"
    SUBMITTED = "submitted", "It is to be handed to the platform"
    PENDING = "pending", "The platform looks at it"
    APPROVED = "approved", "It may be sent"
    REJECTED = "rejected", "The platform refused it"
    PAUSED = "paused", "The platform holds it back for a while"
    DISABLED = "disabled", "The platform holds it back for good"


class TemplateCategory(DescribedEnum):
    """What a template is for."""

    MARKETING = "marketing", "Advertising"
    UTILITY = "utility", "What concerns a purchase or an account"
    AUTHENTICATION = "authentication", "Codes for logging in"


class TemplateLanguage(DescribedEnum):
    """The language that a template is written in."""

    PT_BR = "pt-BR", "Portuguese, as in Brazil"
    EN_US = "en-US", "English, as in the United States"
    ES_ES = "es-ES", "Spanish, as in Spain"


class ComponentType(DescribedEnum, rest="TemplateComponentType", graphql="TemplateComponentType"):
    """A part of a template; each stands in it at most once."""

    HEADER = "HEADER", "What stands above the text"
    BODY = "BODY", "The text"
    FOOTER = "FOOTER", "A small text below"
    BUTTONS = "BUTTONS", "The buttons"
    CAROUSEL = "CAROUSEL", "Cards side by side"
    LIMITED_TIME_OFFER = "LIMITED_TIME_OFFER", "An offer that ends at a time"


class HeaderFormat(DescribedEnum, rest="TemplateHeaderFormat", graphql="TemplateHeaderFormat"):
    """What a header shows."""

    TEXT = "TEXT", "A text"
    IMAGE = "IMAGE", "A picture"
    VIDEO = "VIDEO", "A film"
    DOCUMENT = "DOCUMENT", "A file to be opened"
    LOCATION = "LOCATION", "A place on the map"


class ButtonKind(DescribedEnum, rest="TemplateButtonType", graphql="TemplateButtonType"):
    """What a button does."""

    QUICK_REPLY = "QUICK_REPLY", "It answers with its text"
    URL = "URL", "It opens an address"
    PHONE_NUMBER = "PHONE_NUMBER", "It calls a phone"
    COPY_CODE = "COPY_CODE", "It copies a coupon"
    FLOW = "FLOW", "It opens a form"
    OTP = "OTP", "It hands over a code for logging in"


class OtpKind(DescribedEnum, rest="TemplateOtpType", graphql="TemplateOtpType"):
    """How a code for logging in gets into the app."""

    COPY_CODE = "COPY_CODE", "The person copies it"
    ONE_TAP = "ONE_TAP", "The person taps, and the app takes it"
    ZERO_TAP = "ZERO_TAP", "The app takes it by itself"


class Template(OwnedModel):
    """A template of one number, in one language. `version_of`: the id of the record that this one is to replace.

    `due_at`: when the sandbox answers, or the platform is asked; null where nothing is awaited.
    """

    id = fields.CharField(max_length=30, primary_key=True)
    number_id = fields.CharField(max_length=30)
    name = fields.CharField(max_length=512)
    language = fields.CharField(max_length=8)
    category = fields.CharEnumField(TemplateCategory, max_length=16)
    status = fields.CharEnumField(TemplateStatus, max_length=10)
    components: fields.Field[list[dict[str, Any]]] = fields.JSONField()
    header_example_url = fields.CharField(max_length=2048, null=True)
    meta_template_id = fields.CharField(max_length=40, null=True)
    version = fields.IntField()
    version_of = fields.CharField(max_length=30, null=True)
    rejection_reason = fields.CharField(max_length=500, null=True)
    due_at = fields.DatetimeField(null=True)
    created_at = fields.DatetimeField()
    updated_at = fields.DatetimeField()

    class Meta:
        table = "templates"
        indexes = (
            ("organization_id", "env", "created_at", "id"),
            WhereIndex(fields=("due_at",), name="templates_due", where="due_at IS NOT NULL"),
            WhereIndex(
                fields=("meta_template_id",),
                name="templates_upstream",
                where="meta_template_id IS NOT NULL",
            ),
        )
        constraints = (
            # Newer versions of one template stand beside the first.
            UniqueConstraint(
                fields=("organization_id", "env", "number_id", "name", "language", "version"),
                name="templates_once",
            ),
        )

    @property
    def is_under_review(self) -> bool:
        """Whether the platform is to decide about it."""
        return self.status in (TemplateStatus.SUBMITTED, TemplateStatus.PENDING)

    @property
    def is_known_there(self) -> bool:
        """Whether the platform has it, or a version before it."""
        return self.version_of is not None or self.meta_template_id is not None
