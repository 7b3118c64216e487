"""What a caller may say about an import."""

from typing import Annotated, Any

from pydantic import Field

from core.contacts import NewContact
from core.foundation.described_enum import DescribedEnum
from core.foundation.validation.inputs import Input
from core.foundation.validation.raw_items import ReadByItself

MAX_LINES = 10_000

ContactLine = Annotated[Any, ReadByItself(NewContact)]
"""A faulty line is told in the answer and keeps no other out."""


class ImportKey(DescribedEnum, graphql="ContactImportKey"):
    """What a contact is known by in an import."""

    PHONE = "phone", "Its phone, in any written form"
    EXTERNAL_ID = "externalId", "The id in your own system"


class WhenItExists(DescribedEnum, graphql="ContactImportExisting"):
    """What becomes of a line whose contact exists."""

    UPDATE = "atualizar", "It changes the contact"
    IGNORE = "ignorar", "It is passed over"
    ERROR = "erro", "It is an error"


class ContactImport(Input):
    """Contacts to create, and to change where they exist."""

    contatos: Annotated[list[ContactLine], Field(min_length=1, max_length=MAX_LINES)] = Field(
        description="The lines, each a contact in the format of creation"
    )
    chave: ImportKey = Field(
        default=ImportKey.PHONE,
        description=(
            "What a contact is known by; by `externalId`, a contact that exists needs no `phone`"
        ),
    )
    se_existir: WhenItExists = Field(
        default=WhenItExists.UPDATE, description="What becomes of a line whose contact exists"
    )
    list_id: str | None = Field(
        default=None, description="A list for everybody who is known or made"
    )
    simular: bool = Field(default=False, description="Answer what would happen, and change nothing")
    silencioso: bool = Field(default=False, description="Publish no contact.created")
