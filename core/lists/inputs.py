"""What a caller may say about a list and its members."""

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from core.foundation.validation.inputs import Changes, Input, KeptWhenLeftOut, SkipPage
from core.foundation.validation.names import NameText
from core.foundation.validation.validation_errors import across

MAX_MEMBERS = 50_000
"""Identifiers that one call may name, of all kinds together."""


def _unmasked(values: list[str]) -> list[str]:
    if any("*" in value for value in values):
        raise PydanticCustomError(
            "VALOR_MASCARADO", "Some of these are masked values; send the whole phones"
        )
    return values


ListName = Annotated[
    str,
    NameText(120),
    Field(description="What the list is called; no two have the same name"),
]
Description = Annotated[
    str, StringConstraints(max_length=500), Field(description="What the list is for")
]
Identifiers = Annotated[list[str], Field(max_length=MAX_MEMBERS)]


class NewList(Input):
    """A list to create, empty."""

    name: ListName
    description: Description | None = None


class ListChanges(Changes):
    """What to change of a list; a null description clears it."""

    name: KeptWhenLeftOut[ListName] = None
    description: Description | None = None


class ListFilter(SkipPage):
    """Which lists to show."""

    q: str | None = Field(
        default=None, description="A part of the name, in any case, with or without accents"
    )


class Members(Input):
    """Contacts by any of their identifiers: at least one, at most 50,000 together."""

    external_ids: Identifiers = Field(default=[], description="Your own ids of the customers")
    contact_ids: Identifiers = Field(default=[], description="Ids of contacts")
    phones: Annotated[Identifiers, AfterValidator(_unmasked)] = Field(
        default=[], validate_default=True, description="In any written form"
    )

    @across("external_ids", "contact_ids", "phones")
    @staticmethod
    def _as_many_as_allowed(*identifiers: list[str]) -> None:
        named = sum(map(len, identifiers))
        if named == 0:
            raise PydanticCustomError(
                "required", "Send at least one of externalIds, contactIds and phones"
            )
        if named > MAX_MEMBERS:
            raise PydanticCustomError(
                "too_many", "Send at most 50,000 identifiers in a call, and the rest in another"
            )
