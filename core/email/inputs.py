"""The inputs of the channel e-mail."""

import base64
import binascii
import re
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints, field_validator
from pydantic_core import PydanticCustomError

from core.email.addresses import MAX_ADDRESS_LENGTH, Address, NamedAddress, plain_address
from core.email.models import EmailCategory, EmailStatus
from core.foundation.validation.inputs import Input, SkipPage
from core.foundation.validation.names import one_line
from core.foundation.validation.validation_errors import across
from core.messaging.send_fields import (
    CampaignOfSend,
    ContactOfSend,
    MetadataOfSend,
    QuoteOfSend,
    TimeOfSend,
    TrackLinks,
)
from core.organizations import LetterLanguage

MAX_SUBJECT_LENGTH = 998
MAX_BODY_LENGTH = 500_000
MAX_ATTACHMENTS = 10
MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024
MAX_HEADERS = 20
MAX_DOMAIN_LENGTH = 240
"""A domain of 253 characters has no room for the label of the TXT record."""

ALLOWED_HEADERS = frozenset(
    {
        "auto-submitted", "comments", "content-language", "feedback-id", "importance", "in-reply-to", "keywords",
        "organization", "precedence", "priority", "references", "thread-topic",
    }
)  # fmt: skip
"""Besides those that begin with `X-`, ours (`X-SVC-`) excepted. All others are written by the
service or the relay.
"""

_HEADER = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,63}")


def _allowed_header(name: str) -> str:
    key = name.lower()
    if (
        not _HEADER.fullmatch(name)
        or not (key in ALLOWED_HEADERS or key.startswith("x-"))
        or key.startswith("x-svc-")
    ):
        raise PydanticCustomError(
            "not_allowed", "This header is not the caller's to write; see the documentation"
        )
    return name


def _base64(text: str) -> str:
    try:
        base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise PydanticCustomError("wrong_format", "Write the bytes of the file in base64") from None
    return text


class EmailHeader(Input):
    """A header of the caller's own."""

    key: Annotated[str, StringConstraints(max_length=64), AfterValidator(_allowed_header)] = Field(
        description="Its name: `X-…`, or one of those that callers may write"
    )
    value: Annotated[
        str, StringConstraints(min_length=1, max_length=900), AfterValidator(one_line)
    ] = Field(description="What it says, in one line")


class EmailAttachment(Input):
    """A file that travels with the e-mail."""

    name: Annotated[
        str, StringConstraints(min_length=1, max_length=255), AfterValidator(one_line)
    ] = Field(alias="nome", description="The name that the recipient sees it under")
    type: Annotated[
        str,
        StringConstraints(
            pattern=r"^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,63}/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,63}$"
        ),
    ] = Field(alias="tipo", description="Media type, such as application/pdf")
    content: Annotated[str, StringConstraints(min_length=1), AfterValidator(_base64)] = Field(
        alias="conteudo", description="The bytes in base64", json_schema_extra={"format": "byte"}
    )

    @property
    def size(self) -> int:
        """Its bytes."""
        return len(self.content) // 4 * 3 - self.content[-2:].count("=")


class NewEmail(Input):
    """One e-mail for one address."""

    to: Address = Field(description="Recipient")
    from_: NamedAddress | None = Field(
        default=None,
        alias="from",
        description=(
            "A verified sender, `ana@example.com` or `Ana <ana@example.com>`; unless "
            "told, the first one"
        ),
    )
    subject: Annotated[
        str,
        StringConstraints(min_length=1, max_length=MAX_SUBJECT_LENGTH),
        AfterValidator(one_line),
    ] = Field(description="Its subject, in one line")
    html: Annotated[str, StringConstraints(min_length=1, max_length=MAX_BODY_LENGTH)] | None = (
        Field(default=None, description="The body as HTML; with `text` or alone")
    )
    text: Annotated[str, StringConstraints(min_length=1, max_length=MAX_BODY_LENGTH)] | None = (
        Field(
            default=None,
            validate_default=True,
            description="The body as plain text; with `html` or alone",
        )
    )
    reply_to: NamedAddress | None = Field(
        default=None, description="Where answers go instead of to the sender"
    )
    headers: Annotated[list[EmailHeader], Field(max_length=MAX_HEADERS)] | None = Field(
        default=None,
        description="Headers of your own: `X-…`, References, In-Reply-To and a few others",
    )
    attachments: Annotated[list[EmailAttachment], Field(max_length=MAX_ATTACHMENTS)] | None = Field(
        default=None, alias="anexos", description="Files, at most 10 MiB together"
    )
    category: EmailCategory = Field(
        default=EmailCategory.TRANSACTIONAL,
        alias="categoria",
        description=(
            "marketing: refused where the recipient said no, and can be unsubscribed "
            "from by one click"
        ),
    )
    track_opens: bool = Field(
        default=False, description="Each opening of its HTML is told, by an image of one pixel"
    )
    track_links: TrackLinks = False
    contact_id: ContactOfSend = None
    campaign_id: CampaignOfSend = None
    metadata: MetadataOfSend = None
    quote_id: QuoteOfSend = None
    scheduled_at: TimeOfSend = None

    @field_validator("attachments")
    @classmethod
    def _not_too_heavy(
        cls, attachments: list[EmailAttachment] | None
    ) -> list[EmailAttachment] | None:
        if attachments and sum(one.size for one in attachments) > MAX_ATTACHMENT_BYTES:
            raise PydanticCustomError(
                "too_large", "The files of an e-mail have at most 10 MiB together"
            )
        return attachments

    @across("html", "text")
    @staticmethod
    def _with_a_body(html: str | None, text: str | None) -> None:
        if html is None and text is None:
            raise PydanticCustomError("required", "Send html, text or both")

    @property
    def is_marketing(self) -> bool:
        return self.category == EmailCategory.MARKETING


class EmailFilter(SkipPage):
    """Which messages to list, newest first."""

    status: EmailStatus | None = Field(default=None, description="Messages in this status now")
    to: Address | None = Field(
        default=None, description="The recipient's whole address, in any case"
    )
    campaign_id: str | None = Field(
        default=None, description="The tag that the messages were sent with"
    )


def _address_or_domain(text: str) -> str:
    return plain_address(f"x{text}")[1:] if text.startswith("@") else plain_address(text).lower()


def kind_of(address: str) -> str:
    """`domain` or `address`."""
    return "domain" if address.startswith("@") else "address"


SenderAddress = Annotated[
    str,
    StringConstraints(max_length=MAX_ADDRESS_LENGTH),
    AfterValidator(_address_or_domain),
    Field(description="An address, or all of a domain: `@example.com`"),
]


class NewSender(Input):
    """An address, or all of a domain (`@example.com`)."""

    address: SenderAddress


def _with_room_for_the_label(address: str) -> str:
    if address.startswith("@") and len(address) > MAX_DOMAIN_LENGTH + 1:
        raise PydanticCustomError(
            "too_long", f"A domain has at most {MAX_DOMAIN_LENGTH} characters here"
        )
    return address


class SenderRequest(Input):
    """A sender that is asked for."""

    address: Annotated[SenderAddress, AfterValidator(_with_room_for_the_label)] = Field(
        description="An address, which gets an e-mail with a code, or all of a domain, `@example.com`, "
        "for which a TXT record is looked up"
    )
    language: LetterLanguage = Field(
        default=LetterLanguage.PORTUGUESE, description="In which language the e-mail is written"
    )

    @property
    def is_domain(self) -> bool:
        return kind_of(self.address) == "domain"


class SenderProof(Input):
    """What shows that an address is the organization's own; a domain needs nothing but its record."""

    code: Annotated[str, StringConstraints(min_length=1, max_length=100)] | None = Field(
        default=None, description="The code of the e-mail; an address needs it"
    )
