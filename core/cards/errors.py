"""What is refused about cards and their activities."""

from collections.abc import Iterable, Mapping, Sequence

from core.foundation.errors import Conflict, FieldError, ValidationFailed


class CardFieldRefused(ValidationFailed):
    """A readable value that a rule forbids; its code stands in `meta.code` too."""

    def __init__(self, pointer: str, code: str, message: str) -> None:
        super().__init__(
            f"{message}.",
            meta={"code": code},
            errors=[FieldError("pointer", pointer, code, message)],
        )


class LinksRefused(ValidationFailed):
    """Ids in the body that name nothing that this record may point to; what each would have to be,
    by its pointer.
    """

    def __init__(self, wrong: Mapping[str, str]) -> None:
        said = set(wrong.values())
        super().__init__(
            f"{said.pop()}." if len(said) == 1 else None,
            errors=[
                FieldError("pointer", pointer, "VINCULO_INVALIDO", message)
                for pointer, message in wrong.items()
            ],
        )


class RequiredFieldsMissing(ValidationFailed):
    """`meta.campos`: what the stage demands and the card lacks."""

    def __init__(self, names: Sequence[str], pointers: Iterable[str]) -> None:
        code = "CAMPOS_OBRIGATORIOS_AUSENTES"
        super().__init__(
            f"The stage demands what the card lacks: {', '.join(names)}.",
            meta={"code": code, "campos": list(names)},
            errors=[
                FieldError("pointer", pointer, code, "The stage demands this field")
                for pointer in pointers
            ],
        )


class ReasonRequired(CardFieldRefused):
    def __init__(self) -> None:
        super().__init__(
            "/motivoPerdaId",
            "MOTIVO_OBRIGATORIO",
            "Say for which of the pipeline's reasons it is lost",
        )


class NoteRequired(CardFieldRefused):
    def __init__(self) -> None:
        super().__init__("/observacaoPerda", "OBSERVACAO_OBRIGATORIA", "This reason needs a note")


class ReasonOutOfPlace(CardFieldRefused):
    def __init__(self, pointer: str) -> None:
        super().__init__(
            pointer,
            "not_allowed",
            "Only a deal that enters a stage with the outcome perda has this",
        )


class UseMove(CardFieldRefused):
    def __init__(self, pointer: str) -> None:
        super().__init__(
            pointer, "USE_MOVER", "A card changes its stage with POST /cards/{id}/mover"
        )


class ArchivedPipeline(Conflict):
    default_detail = "The pipeline is archived; take it out of the archive, or use another one."

    def __init__(self) -> None:
        super().__init__(meta={"code": "PIPELINE_ARQUIVADO"})


class DealClosed(Conflict):
    default_detail = "The deal is won or lost already; reopen it first."

    def __init__(self) -> None:
        super().__init__(meta={"code": "NEGOCIO_FECHADO"})


class DealOpen(Conflict):
    default_detail = "The deal is open; there is nothing to reopen."

    def __init__(self) -> None:
        super().__init__(meta={"code": "NEGOCIO_ABERTO"})


class NoWonStage(Conflict):
    default_detail = "The pipeline has no stage with the outcome ganho; add one first."

    def __init__(self) -> None:
        super().__init__(meta={"code": "SEM_ETAPA_DE_GANHO"})


class NoLostStage(Conflict):
    default_detail = "The pipeline has no stage with the outcome perda; add one first."

    def __init__(self) -> None:
        super().__init__(meta={"code": "SEM_ETAPA_DE_PERDA"})


class TooManyCards(Conflict):
    """`meta.quantidade`: how many there are."""

    default_detail = (
        "More cards than can be moved at once lie in the stage; move some of them first."
    )

    def __init__(self, count: int) -> None:
        super().__init__(meta={"code": "MUITOS_NEGOCIOS", "quantidade": count})


class CardExternalIdTaken(Conflict):
    default_detail = (
        "Another card of this organization has this externalId; each belongs to one card."
    )

    def __init__(self) -> None:
        code = "EXTERNAL_ID_JA_CADASTRADO"
        taken = FieldError("pointer", "/externalId", code, "Another card has this externalId")
        super().__init__(meta={"code": code}, errors=[taken])
