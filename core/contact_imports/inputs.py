"""What a caller may say about an import."""

from typing import Annotated, Any, Literal

from pydantic import Field, WithJsonSchema

from core.contacts import NewContact
from core.foundation.inputs import Input

MOST_LINES = 10_000

Line = Annotated[
    Any,
    WithJsonSchema({"type": "object", "description": f"A contact in the format of creation ({NewContact.__name__})"}),
]
"""A line is read by itself: a faulty one is told in the answer and keeps no other out."""


class ContactImport(Input):
    """Contacts to create, and to change where they exist.

    `chave` says what a line is known by; `simular` answers what would happen and changes nothing; `silencioso`
    publishes no contact.created; everybody who is known or made goes on the list `listId`.
    """

    contatos: Annotated[list[Line], Field(min_length=1, max_length=MOST_LINES)]
    chave: Literal["phone", "externalId"] = "phone"
    se_existir: Literal["atualizar", "ignorar", "erro"] = "atualizar"
    list_id: str | None = None
    simular: bool = False
    silencioso: bool = False
