"""Error catalogue: refusals of journeys."""

from datetime import UTC, datetime

from core.foundation.errors import FieldError, ValidationFailed
from core.journeys.errors import (
    EntriesEnded,
    JourneyCannotRun,
    JourneyIsActive,
    JourneyIsArchived,
    JourneyStatusConflict,
    JourneyWasChanged,
    JourneyWithoutSteps,
    NewerJourneyVersion,
    TooManyJourneys,
    TooManyRuns,
    UnknownJourneyLinks,
    WrongMap,
)
from core.journeys.models import JourneyStatus
from rest_api.problems.error_doc import ErrorDoc, at
from rest_api.support.sample_ids import JOURNEY

ACTIVATE = at("POST /v2/journeys/{id}/ativar")
STORES = at("POST /v2/journeys", "PATCH /v2/journeys/{id}")
NAMES_STEPS = at("POST /v2/journeys", "PATCH /v2/journeys/{id}", "POST /v2/journeys/{id}/migrar")
ADDS = at("POST /v2/journeys", "PATCH /v2/journeys/{id}", "POST /v2/journeys/{id}/duplicar")
OF_ONE = at(
    "PATCH /v2/journeys/{id}",
    *(
        f"POST /v2/journeys/{{id}}/{move}"
        for move in ("ativar", "pausar", "retomar", "encerrar-entradas", "entradas", "migrar")
    ),
)
BY_STATUS = at(
    "DELETE /v2/journeys/{id}",
    *(
        f"POST /v2/journeys/{{id}}/{move}"
        for move in ("ativar", "pausar", "retomar", "encerrar-entradas", "entradas", "migrar")
    ),
)

CONFLICTS = (
    ErrorDoc(
        TooManyJourneys(),
        "The organization has as many journeys as one may have: 200 that are not archived.",
        "Archive one that is not needed any more.",
        ADDS,
    ),
    ErrorDoc(
        JourneyStatusConflict(JourneyStatus.ACTIVE),
        "A journey in this status is not moved so: only drafts are deleted, a draft neither pauses "
        "nor goes on, and a paused one is not activated again.",
        "Archive with `…/arquivar` what was active, and let a paused one go on with `…/retomar`.",
        BY_STATUS,
    ),
    ErrorDoc(
        JourneyWithoutSteps(),
        "A journey without steps has nothing to do.",
        "Add steps with `PATCH /v2/journeys/{id}`.",
        ACTIVATE,
    ),
    ErrorDoc(
        JourneyIsActive(),
        "The journey is active already.",
        "Change it with `PATCH /v2/journeys/{id}`, and activate the version that comes of it.",
        ACTIVATE,
    ),
    ErrorDoc(
        JourneyIsArchived(),
        "The journey was put away for good.",
        "Make a copy with `POST /v2/journeys/{id}/duplicar`.",
        OF_ONE,
    ),
    ErrorDoc(
        EntriesEnded(),
        "The journey takes nobody in any more: its entries were ended, or a newer version takes "
        "everybody.",
        "Use the newest version, or a copy.",
        at("POST /v2/journeys/{id}/entradas"),
    ),
    ErrorDoc(
        NewerJourneyVersion(JOURNEY),
        "The journey has a newer version, which the change would pass over.",
        "Change the version in `meta.journeyId`, or archive that one first.",
        at("PATCH /v2/journeys/{id}"),
    ),
    ErrorDoc(
        JourneyWasChanged(datetime(2026, 11, 21, 12, tzinfo=UTC)),
        "The journey was changed since it was read: at `meta.updatedAt`.",
        "Read it again, decide anew, and send its present `updatedAt`.",
        at("PATCH /v2/journeys/{id}"),
    ),
)


def _graph(code: str, pointer: str, what: str, do: str) -> ErrorDoc:
    where = NAMES_STEPS if code == "PASSO_DESCONHECIDO" else STORES
    return ErrorDoc(
        ValidationFailed(errors=[FieldError("pointer", pointer, code, what)]), what, do, where
    )


def _not_ready(code: str, pointer: str, what: str, do: str) -> ErrorDoc:
    error = FieldError("pointer", pointer, code, what)
    return ErrorDoc(JourneyCannotRun(errors=[error]), what, do, ACTIVATE)


def _missing(code: str, pointer: str, what: str, do: str) -> ErrorDoc:
    error = FieldError("pointer", pointer, code, what)
    where = at("POST /v2/journeys/{id}/ativar", "POST /v2/journeys/{id}/retomar")
    return ErrorDoc(JourneyCannotRun(errors=[error]), what, do, where)


INVALID = (
    ErrorDoc(
        UnknownJourneyLinks(
            [
                FieldError(
                    "pointer",
                    "/gatilho/segmentId",
                    "VINCULO_INVALIDO",
                    "This organization has no such segment",
                )
            ]
        ),
        (
            "The journey names a segment, list, template, number, pipeline or stage that "
            "the organization does not have."
        ),
        "Name records that exist in the environment of the credential; `errors` has every place.",
        at(
            "POST /v2/journeys",
            "PATCH /v2/journeys/{id}",
            "POST /v2/journeys/{id}/ativar",
            "POST /v2/journeys/{id}/retomar",
            "POST /v2/journeys/{id}/entradas",
        ),
    ),
    _graph(
        "PASSO_DESCONHECIDO",
        "/passos/0/proximo",
        "A way leads to a step that is not there.",
        "Name the id of a step of this journey, or leave the way out: the run then ends.",
    ),
    _graph(
        "PERCENTUAIS_INVALIDOS",
        "/passos/2/config",
        "The shares of a split do not add up to 100.",
        "Send percentages of all branches that make 100 together.",
    ),
    _graph(
        "CICLO",
        "/passos/1/proximo",
        "A way leads back to a step that comes before it.",
        "Let every way lead onward; for another round, let contacts enter the journey again.",
    ),
    _graph(
        "PASSO_INALCANCAVEL",
        "/passos/2/id",
        "No way leads from the first step to this one.",
        "Lead a way to it, or leave it out.",
    ),
    _not_ready(
        "INCLUIR_ATUAIS_AUSENTE",
        "/incluirAtuais",
        "It was not said whether the contacts that are in the segment or on the list already enter.",
        "Send `incluirAtuais`, true or false.",
    ),
    _not_ready(
        "PASSO_SEM_DESTINO",
        "/passos/1/config",
        "None of the ways of a step leads to another one, so that it decides nothing.",
        "Lead at least one of its ways to a step, or leave the step out.",
    ),
    _not_ready(
        "JORNADA_SEM_EFEITO",
        "/passos",
        "No step of the journey sends or changes anything.",
        "Add a message, a change of the contact, a card or a webhook.",
    ),
    _not_ready(
        "LIMITE_DE_SEGMENTOS",
        "/gatilho/segmentId",
        "Journeys of the organization watch as many segments as they may: 20.",
        "Archive a journey of another segment, or let this one begin with a segment that is "
        "watched already.",
    ),
    _missing(
        "TEMPLATE_INDISPONIVEL",
        "/passos/0/config/templateId",
        "A template that the journey sends is not approved.",
        "Submit it and wait for its approval, or name another one.",
    ),
    _missing(
        "NUMERO_INDISPONIVEL",
        "/passos/0/config/numberId",
        "A number that the journey sends from cannot send now.",
        "Connect it again, or name another one.",
    ),
    ErrorDoc(
        TooManyRuns(
            errors=[
                FieldError(
                    "pointer",
                    "/incluirAtuais",
                    "LIMITE_DE_EXECUCOES",
                    "With these, more than 5000000 contacts would be inside journeys at once",
                )
            ]
        ),
        "More than 5,000,000 contacts of the organization would be inside journeys at once.",
        "Wait until others have finished, or archive a journey with those inside.",
        at("POST /v2/journeys/{id}/ativar", "POST /v2/journeys/{id}/entradas"),
    ),
    ErrorDoc(
        WrongMap(
            errors=[
                FieldError(
                    "pointer",
                    "/passosSemMapa",
                    "MAPA_INCOMPLETO",
                    "Somebody stands on a step that the map does not name: name it, or say what "
                    "becomes of them",
                )
            ]
        ),
        "Somebody stands on a step of an earlier version that the map does not name.",
        "Name the step in `mapa`, or send `passosSemMapa`: manter or encerrar.",
        at("POST /v2/journeys/{id}/migrar"),
    ),
)
