"""Error catalogue: refusals of cards and activities."""

from core.cards.errors import (
    ArchivedPipeline,
    CardExternalIdTaken,
    DealClosed,
    DealOpen,
    LinksRefused,
    NoLostStage,
    NoteRequired,
    NoWonStage,
    ReasonOutOfPlace,
    ReasonRequired,
    RequiredFieldsMissing,
    UseMove,
)
from core.cards.files.attach import TooManyFiles
from core.cards.links import CONTACT
from core.foundation.errors import FieldError, ValidationFailed
from rest_api.problems.error_doc import ErrorDoc, at

CREATE, CHANGE, BATCH = "POST /cards", "PATCH /cards/{id}", "POST /cards/mover-lote"
MOVE, TRANSFER = "POST /cards/{id}/mover", "POST /cards/{id}/transferir"
WIN, LOSE, REOPEN = "POST /cards/{id}/ganhar", "POST /cards/{id}/perder", "POST /cards/{id}/reabrir"
ADD, CHANGE_ACTIVITY = "POST /cards/{id}/atividades", "PATCH /atividades/{id}"

UNREADABLE = (
    ErrorDoc(
        TooManyFiles(),
        "The card is full.",
        "Delete files that nobody needs, or keep them together in an archive.",
        at("POST /cards/{id}/arquivos"),
    ),
)

CONFLICTS = (
    ErrorDoc(
        CardExternalIdTaken(),
        "Another card has this `externalId`.",
        "Find it with `GET /cards?externalId=`, and decide which of the two it belongs to.",
        at(CREATE, CHANGE),
    ),
    ErrorDoc(
        ArchivedPipeline(),
        "The pipeline is archived: no card comes into it, and those on it stay in their stages.",
        (
            "Take it out of the archive with `PATCH /pipelines/{id}`, or transfer the "
            "deal to another pipeline."
        ),
        at(CREATE, BATCH, MOVE, TRANSFER, WIN, LOSE, REOPEN),
    ),
    ErrorDoc(
        DealClosed(),
        (
            "The deal is won or lost, and the operation is for open ones; or it is lost "
            "for another reason."
        ),
        "Reopen it first with `POST /cards/{id}/reabrir`.",
        at(MOVE, TRANSFER, WIN, LOSE),
    ),
    ErrorDoc(DealOpen(), "The deal is open.", "Nothing to do.", at(REOPEN)),
    ErrorDoc(
        NoWonStage(),
        "The pipeline of the deal has no stage with the outcome `ganho`.",
        "Add one with `POST /pipelines/{id}/etapas`.",
        at(WIN),
    ),
    ErrorDoc(
        NoLostStage(),
        "The pipeline of the deal has no stage with the outcome `perda`.",
        "Add one with `POST /pipelines/{id}/etapas`.",
        at(LOSE),
    ),
)

INVALID = (
    ErrorDoc(
        LinksRefused({"/contatoId": CONTACT}),
        "An id in the body names nothing that the record may point to: contacts, "
        "companies, messages, pipelines and "
        "stages of the organization and environment, active accounts, active reasons "
        "of the pipeline.",
        "Check each id named in `errors`. Links that do not change are not looked at.",
        at(CREATE, CHANGE, BATCH, MOVE, TRANSFER, WIN, LOSE, REOPEN, ADD, CHANGE_ACTIVITY),
    ),
    ErrorDoc(
        RequiredFieldsMissing(["valor"], ["/campos/valor"]),
        "The stage demands fields that the card lacks (`meta.campos`): `valor` above "
        "zero, `dataPrevista`, `contato` "
        "(`contatoId`, or a principal one among `contatos`), `responsavel`.",
        "Send them in `campos` with the move.",
        at(CREATE, CHANGE, MOVE, TRANSFER, WIN, LOSE, REOPEN),
    ),
    ErrorDoc(
        ReasonRequired(),
        "A deal was to be lost without a reason, and its pipeline has active ones.",
        "Send the id of one in `motivoPerdaId`; `GET /pipelines/{id}` lists them.",
        at(CREATE, MOVE, LOSE),
    ),
    ErrorDoc(
        NoteRequired(),
        "The reason for the loss has `exigeObservacao`.",
        "Say more in `observacaoPerda`.",
        at(CREATE, MOVE, LOSE),
    ),
    ErrorDoc(
        ReasonOutOfPlace("/motivoPerdaId"),
        "A reason or a note came along into a stage that loses no deals.",
        "Leave it out.",
        at(CREATE, MOVE),
    ),
    ErrorDoc(
        UseMove("/etapaId"),
        (
            "A stage or a status was to be changed with the other fields, or a card to "
            "be transferred within its pipeline."
        ),
        "Move the card with `POST /cards/{id}/mover`.",
        at(CHANGE, TRANSFER),
    ),
    ErrorDoc(
        ValidationFailed(
            errors=[
                FieldError("pointer", "", "required", "An activity keeps its titulo or its texto")
            ]
        ),
        "An activity would be left without a title and without a text.",
        "Send one of them.",
        at(ADD, CHANGE_ACTIVITY),
    ),
)
