"""A file of a card as the interface spells it."""

from typing import Annotated, TypedDict

from core.foundation.database.rows import HasColumns
from core.foundation.records import Column, Doc, Id, Instant, LargeInt, Page, Record, named


@named(rest="CardFile", graphql="CardFile")
class CardFileRecord(TypedDict):
    """A file of a card."""

    id: Annotated[Id, Doc("Names the file")]
    cardId: Annotated[Id, Doc("The card that it belongs to")]
    nome: Annotated[str, Column("name"), Doc("What the file is called")]
    mimeType: Annotated[str, Doc("What it is, as read from its bytes")]
    tamanho: Annotated[LargeInt, Column("size"), Doc("How long the file is, in bytes")]
    sha256: Annotated[str, Doc("The SHA-256 digest of its bytes, 64 hexadecimal digits")]
    createdById: Annotated[Id, Doc("The account or the key that attached it")]
    createdAt: Annotated[Instant, Doc("When it was attached")]


CARD_FILE = Record(CardFileRecord)


@named(rest="OpenableFile")
class OpenableFile(CardFileRecord):
    """A file of a card, with an address that opens it."""

    url: Annotated[str, Doc("Opens the file for an hour, without a credential")]


class CardFilePage(Page[OpenableFile]):
    """A page of a card's files, newest first."""


def file_record(row: HasColumns) -> CardFileRecord:
    """The record of a row, or of a model's `vars`."""
    return CARD_FILE.make(row, unmasked=True)
