"""The shape of an import's result."""

from rest_api.support.shapes import Out


class LineTold(Out):
    """A line (counted from 1) and what is wrong with it, or was done otherwise. `campo` names the
    field.
    """

    linha: int
    campo: str | None = None
    codigo: str
    mensagem: str


class ImportDone(Out):
    """What became of the lines."""

    criados: int
    atualizados: int
    inalterados: int
    ignorados: int
    erros: list[LineTold]
    warnings: list[LineTold]
