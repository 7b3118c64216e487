"""Examples of runs of journeys."""

from typing import Any

from rest_api.support.sample_ids import CONTACT, JOURNEY, JOURNEY_RUN

ON_ITS_WAY: dict[str, Any] = {
    "id": JOURNEY_RUN,
    "journeyId": JOURNEY,
    "contactId": CONTACT,
    "estado": "ativa",
    "passo": "pausa",
    "entrouEm": "2026-11-21T12:00:00.000Z",
    "noPassoDesde": "2026-11-21T12:00:01.000Z",
    "segueEm": "2026-11-22T12:00:01.000Z",
}
PAGE = {"items": [ON_ITS_WAY]}
WITH_TRAIL = {
    **ON_ITS_WAY,
    "trilha": [
        {"em": "2026-11-21T12:00:00.000Z", "resultado": "seguiu"},
        {"em": "2026-11-21T12:00:01.000Z", "passo": "ola", "resultado": "seguiu"},
    ],
}
