"""What became of the lines of an import, as the interface spells it."""

from typing import Annotated, NotRequired, TypedDict

from core.foundation.records import Doc, named


@named(rest="LineTold", graphql="ContactImportLine")
class LineTold(TypedDict):
    """A line, and what is wrong with it or was done otherwise."""

    linha: Annotated[int, Doc("The line's place in the list that was sent, from 1")]
    campo: NotRequired[Annotated[str, Doc("The field, where it is about one")]]
    codigo: Annotated[str, Doc("What programs decide by")]
    mensagem: Annotated[str, Doc("What is wrong, or what was done, in one sentence")]


@named(rest="ImportDone", graphql="ContactImportDone")
class ImportDone(TypedDict):
    """What became of the lines."""

    criados: Annotated[int, Doc("How many lines created a contact")]
    atualizados: Annotated[int, Doc("How many changed one that existed")]
    inalterados: Annotated[int, Doc("How many said nothing new of one that existed")]
    ignorados: Annotated[int, Doc("How many were passed over, because the contact existed")]
    erros: Annotated[list[LineTold], Doc("What is wrong with the lines that did not enter")]
    warnings: Annotated[
        list[LineTold], Doc("Lines of which something was passed over; each is told")
    ]
