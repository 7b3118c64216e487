"""Error catalogue: refusals of pipelines and their stages."""

from core.cards.errors import TooManyCards
from core.foundation.errors import FieldError, ValidationFailed
from core.pipelines.errors import (
    CardsCannotMove,
    KindNeverChanges,
    LastOpenStage,
    NameTaken,
    NoPlaceForCards,
    NoSuchReason,
    OrderIncomplete,
    OutcomeTaken,
    PipelineHasOpenCards,
    ReasonsWithoutLostStage,
    StageHasCards,
    TooManyStages,
    VersionOutdated,
)
from rest_api.problems.error_doc import ErrorDoc, at
from rest_api.support.sample_ids import CARD, OTHER_CARD

CONFLICTS = (
    ErrorDoc(
        NameTaken(),
        "Another pipeline that is not archived, or another stage of the pipeline, has this name.",
        "Use that one, or another name.",
        at(
            "POST /pipelines",
            "PATCH /pipelines/{id}",
            "POST /pipelines/{id}/etapas",
            "PATCH /pipelines/{id}/etapas/{etapaId}",
        ),
    ),
    ErrorDoc(
        VersionOutdated(7),
        "The record changed since it was read: its version is `meta.versaoAtual` by now.",
        "Read it again, decide anew, and send its present `versao`.",
        at("PATCH /pipelines/{id}", "PATCH /cards/{id}", "POST /cards/{id}/mover"),
    ),
    ErrorDoc(
        KindNeverChanges(),
        "Another `tipo` than the pipeline has was sent.",
        "Leave `tipo` out; for another kind, create a pipeline.",
        at("PATCH /pipelines/{id}"),
    ),
    ErrorDoc(
        PipelineHasOpenCards(12),
        "The pipeline was to be archived, and `meta.quantidade` deals on it are open.",
        "Win, lose or transfer them, or send `forcar`: then they stay open in the archive.",
        at("PATCH /pipelines/{id}"),
    ),
    ErrorDoc(
        ReasonsWithoutLostStage(),
        (
            "A pipeline with active reasons for losing has no stage with the outcome "
            "`perda`, or would lose it."
        ),
        "Add such a stage first, or take the reasons away first (`motivos: []`).",
        at(
            "POST /pipelines",
            "PATCH /pipelines/{id}",
            "PATCH /pipelines/{id}/etapas/{etapaId}",
            "DELETE /pipelines/{id}/etapas/{etapaId}",
        ),
    ),
    ErrorDoc(
        OutcomeTaken(),
        "The pipeline would have two stages that win deals, or two that lose them.",
        "Use the one that is there, or make it an open one first.",
        at(
            "POST /pipelines",
            "POST /pipelines/{id}/etapas",
            "PATCH /pipelines/{id}/etapas/{etapaId}",
        ),
    ),
    ErrorDoc(
        TooManyStages(),
        "The pipeline has 30 stages.",
        "Delete one first.",
        at("POST /pipelines/{id}/etapas"),
    ),
    ErrorDoc(
        LastOpenStage(),
        "The pipeline would be left without a stage for open deals.",
        "Add another one with the outcome `aberta` first.",
        at("PATCH /pipelines/{id}/etapas/{etapaId}", "DELETE /pipelines/{id}/etapas/{etapaId}"),
    ),
    ErrorDoc(
        StageHasCards(2, [CARD, OTHER_CARD]),
        "Deals lie in the stage: `meta.quantidade` of them, `meta.exemplos` names up to ten.",
        "Move them first; to delete the stage, name the one that takes them in `moverPara`.",
        at("PATCH /pipelines/{id}/etapas/{etapaId}", "DELETE /pipelines/{id}/etapas/{etapaId}"),
    ),
    ErrorDoc(
        TooManyCards(5_001),
        "More than 5,000 deals lie in the stage that is to be deleted: `meta.quantidade` of them.",
        "Move some of them first, for instance with `POST /cards/mover-lote`.",
        at("DELETE /pipelines/{id}/etapas/{etapaId}"),
    ),
)

INVALID = (
    ErrorDoc(
        ValidationFailed(
            errors=[
                FieldError("pointer", "/tipo", "TIPO_AINDA_NAO_DISPONIVEL", "Not available yet")
            ],
        ),
        "Pipelines of the kinds `cobranca` and `onboarding` are not available yet.",
        "Leave `tipo` out, or send `vendas`.",
        at("POST /pipelines"),
    ),
    ErrorDoc(
        ValidationFailed(
            errors=[
                FieldError(
                    "pointer", "/camposObrigatorios/0", "CAMPO_DESCONHECIDO", "No such field"
                )
            ],
        ),
        "A stage demands something else than `valor`, `dataPrevista`, `contato` and `responsavel`.",
        "Leave it out: no stage can demand other fields.",
        at(
            "POST /pipelines",
            "POST /pipelines/{id}/etapas",
            "PATCH /pipelines/{id}/etapas/{etapaId}",
        ),
    ),
    ErrorDoc(
        ValidationFailed(
            errors=[
                FieldError("pointer", "/motivos/0/texto", "MOTIVO_VAZIO", "A reason has a text")
            ]
        ),
        "A reason for losing has no text, or one of spaces only.",
        "Give it one, or leave the entry out.",
        at("POST /pipelines", "PATCH /pipelines/{id}"),
    ),
    ErrorDoc(
        NoSuchReason([0]),
        "A reason was named by an id that the pipeline does not know.",
        "Leave `id` out for a new reason.",
        at("PATCH /pipelines/{id}"),
    ),
    ErrorDoc(
        NoPlaceForCards(),
        (
            "`moverPara` names no other open stage of the pipeline: deals are not won or "
            "lost by the way."
        ),
        "Name another stage of the pipeline with the outcome `aberta`.",
        at("DELETE /pipelines/{id}/etapas/{etapaId}"),
    ),
    ErrorDoc(
        ValidationFailed(
            errors=[FieldError("parameter", "de", "too_large", "The period ends before it begins")]
        ),
        "The period ends before it begins.",
        "Send a `de` that is not later than `ate`.",
        at("GET /pipelines/{id}/resumo"),
    ),
    ErrorDoc(
        ValidationFailed(),
        (
            "Every operation of the CRM lists this status; one that takes neither body "
            "nor parameters never answers it."
        ),
        "Nothing to do.",
        lambda operation: (
            422 in operation.errors and operation.body is None and operation.query is None
        ),
    ),
    ErrorDoc(
        CardsCannotMove(["valor"], [CARD]),
        "Deals in the stage lack what the stage in `moverPara` demands; all of them stay.",
        "Fill the fields of the deals in `meta.exemplos`, or name another stage.",
        at("DELETE /pipelines/{id}/etapas/{etapaId}"),
    ),
    ErrorDoc(
        OrderIncomplete(),
        (
            "`etapaIds` lacks a stage of the pipeline, names one twice, or names one of "
            "another pipeline."
        ),
        "Read the pipeline and send every one of its stages exactly once.",
        at("PUT /pipelines/{id}/etapas/ordem"),
    ),
)
