"""What a caller may say about an import."""

from typing import Annotated, Any, Literal

from pydantic import Field, WithJsonSchema

from core.contacts import NewContact
from core.foundation.validation.inputs import Input

MAX_LINES = 10_000

ContactLine = Annotated[Any, WithJsonSchema({"x-ref": NewContact.__name__})]
"""A line is read by itself: a faulty one is told in the answer and keeps no other out."""


class ContactImport(Input):
    """Contacts to create, and to change where they exist."""

    contatos: Annotated[list[ContactLine], Field(min_length=1, max_length=MAX_LINES)]
    chave: Literal["phone", "externalId"] = Field(
        default="phone",
        description="What a contact is known by; by `externalId`, a contact that exists needs no `phone`",
    )
    se_existir: Literal["atualizar", "ignorar", "erro"] = Field(
        default="atualizar", description="What becomes of a line whose contact exists"
    )
    list_id: str | None = Field(
        default=None, description="A list for everybody who is known or made"
    )
    simular: bool = Field(default=False, description="Answer what would happen, and change nothing")
    silencioso: bool = Field(default=False, description="Publish no contact.created")
