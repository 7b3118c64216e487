"""Errors of journeys."""

from collections.abc import Sequence
from datetime import datetime

from core.foundation.clock import wire_time
from core.foundation.errors import Conflict, FieldError, ValidationFailed
from core.journeys.models import JourneyStatus

MAX_JOURNEYS = 200


class UnknownJourneyLinks(ValidationFailed):
    default_detail = (
        "The journey names records that are not there; name existing ones of this organization."
    )

    def __init__(self, errors: Sequence[FieldError]) -> None:
        super().__init__(meta={"code": "VINCULO_INVALIDO"}, errors=list(errors))


class JourneyCannotRun(ValidationFailed):
    """Everything that keeps a journey from running, each at its place."""

    default_detail = "The journey cannot run as it is; mend each place named in errors."


class JourneyStatusConflict(Conflict):
    """`status` is the one that the journey is in."""

    default_detail = "Only a draft can be deleted; archive this journey instead."

    def __init__(self, status: JourneyStatus, detail: str | None = None) -> None:
        super().__init__(detail, meta={"code": "STATUS_NAO_PERMITE", "status": status.value})


class JourneyWithoutSteps(Conflict):
    default_detail = "The journey has no steps; add some before it is activated."

    def __init__(self) -> None:
        super().__init__(meta={"code": "JORNADA_SEM_PASSOS"})


class JourneyIsActive(Conflict):
    default_detail = (
        "The journey is active already; to change it, change it and activate the new version."
    )

    def __init__(self) -> None:
        super().__init__(meta={"code": "JORNADA_ATIVA"})


class JourneyIsArchived(Conflict):
    default_detail = "The journey is archived for good; duplicate it to use its steps again."

    def __init__(self) -> None:
        super().__init__(meta={"code": "JORNADA_ARQUIVADA"})


class EntriesEnded(Conflict):
    default_detail = "Nobody enters this version of the journey any more; use the newest one."

    def __init__(self) -> None:
        super().__init__(meta={"code": "ENTRADAS_ENCERRADAS"})


class TooManyRuns(ValidationFailed):
    """More contacts would be on their way at once than may be."""

    default_detail = "Too many contacts would be inside journeys; let others finish first."


class WrongMap(ValidationFailed):
    """Everything that is wrong with a map between versions, each at its place."""

    default_detail = "The map does not fit the versions; mend each place named in errors."


class NewerJourneyVersion(Conflict):
    """`journeyId` is the newest version."""

    default_detail = "There is a newer version of the journey; go on from that one."

    def __init__(self, id: str) -> None:
        super().__init__(meta={"code": "VERSAO_DESATUALIZADA", "journeyId": id})


class JourneyWasChanged(Conflict):
    """Somebody changed the journey since it was read; `meta.updatedAt` tells when."""

    default_detail = "The journey was changed meanwhile; read it again and decide anew."

    def __init__(self, at: datetime) -> None:
        super().__init__(meta={"code": "VERSAO_DESATUALIZADA", "updatedAt": wire_time(at)})


class TooManyJourneys(Conflict):
    default_detail = (
        f"The organization has {MAX_JOURNEYS} journeys that are not archived; archive one first."
    )

    def __init__(self) -> None:
        super().__init__(meta={"code": "LIMITE_DE_JORNADAS"})
