"""What is refused about pipelines and their stages."""

from collections.abc import Sequence

from core.foundation.errors import Conflict, FieldError, ValidationFailed

EXAMPLES = 10
"""Deals that a refusal names."""


class VersionOutdated(Conflict):
    """Somebody changed the record since it was read; `meta.versaoAtual` is what it is now."""

    default_detail = "The record was changed meanwhile; read it again and decide anew."

    def __init__(self, current: int) -> None:
        super().__init__(meta={"code": "VERSAO_DESATUALIZADA", "versaoAtual": current})


class NameTaken(Conflict):
    default_detail = "The name is taken; choose one that is free."

    def __init__(self) -> None:
        code = "NOME_JA_CADASTRADO"
        super().__init__(
            meta={"code": code},
            errors=[FieldError("pointer", "/nome", code, "Another one has this name")],
        )


class KindNeverChanges(Conflict):
    default_detail = "The kind of a pipeline never changes; create another pipeline."

    def __init__(self) -> None:
        code = "TIPO_IMUTAVEL"
        super().__init__(
            meta={"code": code},
            errors=[FieldError("pointer", "/tipo", code, "This field never changes")],
        )


class ReasonsWithoutLostStage(Conflict):
    default_detail = (
        "Reasons for losing need a stage with the outcome perda; a pipeline without "
        "one can have none."
    )

    def __init__(self) -> None:
        super().__init__(meta={"code": "MOTIVOS_SEM_ETAPA_DE_PERDA"})


class PipelineHasOpenCards(Conflict):
    """`meta.quantidade`: how many."""

    default_detail = (
        "Open deals lie on the pipeline; close or transfer them, or send forcar to "
        "archive it with them."
    )

    def __init__(self, count: int) -> None:
        super().__init__(meta={"code": "PIPELINE_COM_NEGOCIOS_ABERTOS", "quantidade": count})


class OutcomeTaken(Conflict):
    default_detail = (
        "A pipeline has at most one stage with the outcome ganho and one with the outcome perda."
    )

    def __init__(self) -> None:
        super().__init__(meta={"code": "ETAPA_DE_RESULTADO_JA_EXISTE"})


class TooManyStages(Conflict):
    default_detail = "The pipeline has as many stages as one can have; delete one first."

    def __init__(self) -> None:
        super().__init__(meta={"code": "LIMITE_DE_ETAPAS"})


class LastOpenStage(Conflict):
    default_detail = (
        "A pipeline keeps at least one stage with the outcome aberta; add another one first."
    )

    def __init__(self) -> None:
        super().__init__(meta={"code": "ULTIMA_ETAPA_ABERTA"})


class StageHasCards(Conflict):
    """`meta.quantidade`: how many; `meta.exemplos`: the ids of up to ten of them."""

    default_detail = (
        "Deals lie in the stage; move them to another stage first, or name one in "
        "moverPara to delete it."
    )

    def __init__(self, count: int, examples: Sequence[str]) -> None:
        super().__init__(
            meta={"code": "ETAPA_COM_NEGOCIOS", "quantidade": count, "exemplos": list(examples)}
        )


class NoPlaceForCards(ValidationFailed):
    """The stage that was to take the deals of another one cannot be that."""

    def __init__(self) -> None:
        code, message = (
            "VINCULO_INVALIDO",
            "The pipeline has no other stage of this id with the outcome aberta",
        )
        super().__init__(errors=[FieldError("parameter", "moverPara", code, message)])


class CardsCannotMove(ValidationFailed):
    """`meta.campos`: what the first deal lacks of what is demanded; how many and which, as in
    StageHasCards.
    """

    default_detail = (
        "Deals lack what the other stage demands, so all stay; complete them, or "
        "name another stage."
    )

    def __init__(self, fields: Sequence[str], ids: Sequence[str]) -> None:
        code = "CAMPOS_OBRIGATORIOS_AUSENTES"
        super().__init__(
            meta={"campos": list(fields), "quantidade": len(ids), "exemplos": list(ids[:EXAMPLES])},
            errors=[
                FieldError(
                    "parameter", "moverPara", code, "Deals lack fields that this stage demands"
                )
            ],
        )


class OrderIncomplete(ValidationFailed):
    default_detail = (
        "The order has to name every stage of the pipeline exactly once; read the "
        "pipeline and send it anew."
    )

    def __init__(self) -> None:
        code = "ORDEM_INCOMPLETA"
        super().__init__(
            errors=[
                FieldError(
                    "pointer", "/etapaIds", code, "Not every stage of the pipeline just once"
                )
            ]
        )


class NoSuchReason(ValidationFailed):
    """A reason was named by an id that the pipeline does not know."""

    def __init__(self, places: Sequence[int]) -> None:
        code, message = (
            "VINCULO_INVALIDO",
            "The pipeline has no such reason; leave the id out for a new one",
        )
        super().__init__(
            errors=[
                FieldError("pointer", f"/motivos/{place}/id", code, message) for place in places
            ]
        )
