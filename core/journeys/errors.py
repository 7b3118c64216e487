"""Errors of journeys."""

from collections.abc import Sequence

from core.foundation.errors import Conflict, FieldError, ValidationFailed
from core.journeys.models import JourneyStatus

MAX_JOURNEYS = 200


class UnknownJourneyLinks(ValidationFailed):
    default_detail = (
        "The journey names records that are not there; name existing ones of this organization."
    )

    def __init__(self, errors: Sequence[FieldError]) -> None:
        super().__init__(meta={"code": "VINCULO_INVALIDO"}, errors=list(errors))


class JourneyStatusConflict(Conflict):
    """`status` is the one that the journey is in."""

    default_detail = "Only a draft can be deleted; archive this journey instead."

    def __init__(self, status: JourneyStatus) -> None:
        super().__init__(meta={"code": "STATUS_NAO_PERMITE", "status": status.value})


class TooManyJourneys(Conflict):
    default_detail = (
        f"The organization has {MAX_JOURNEYS} journeys that are not archived; archive one first."
    )

    def __init__(self) -> None:
        super().__init__(meta={"code": "LIMITE_DE_JORNADAS"})
