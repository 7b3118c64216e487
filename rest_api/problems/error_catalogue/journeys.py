"""Error catalogue: refusals of journeys."""

from core.foundation.errors import FieldError, ValidationFailed
from core.journeys.errors import JourneyStatusConflict, TooManyJourneys, UnknownJourneyLinks
from core.journeys.models import JourneyStatus
from rest_api.problems.error_doc import ErrorDoc, at

CREATE = at("POST /v2/journeys")

CONFLICTS = (
    ErrorDoc(
        TooManyJourneys(),
        "The organization has as many journeys as one may have: 200 that are not archived.",
        "Archive one that is not needed any more.",
        CREATE,
    ),
    ErrorDoc(
        JourneyStatusConflict(JourneyStatus.ACTIVE),
        "The journey is no draft: it may have been somebody's way already.",
        "Archive it with `POST /v2/journeys/{id}/arquivar`; only drafts are deleted.",
        at("DELETE /v2/journeys/{id}"),
    ),
)


def _graph(code: str, pointer: str, what: str, do: str) -> ErrorDoc:
    return ErrorDoc(
        ValidationFailed(errors=[FieldError("pointer", pointer, code, what)]), what, do, CREATE
    )


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
        CREATE,
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
)
