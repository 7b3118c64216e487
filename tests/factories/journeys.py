"""Journeys."""

from typing import Any

from core import journeys
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller

STEPS: list[dict[str, Any]] = [
    {
        "id": "ola",
        "tipo": "mensagem",
        "config": {"canal": "sms", "texto": "Olá"},
        "proximo": "pausa",
    },
    {"id": "pausa", "tipo": "espera", "config": {"duracaoHoras": 24}, "proximo": "parte"},
    {
        "id": "parte",
        "tipo": "divisao",
        "config": {
            "ramos": [{"percentual": 50, "proximo": "carta"}, {"percentual": 50, "proximo": "fim"}]
        },
    },
    {
        "id": "carta",
        "tipo": "mensagem",
        "config": {"canal": "email", "texto": "Até logo"},
        "proximo": "fim",
    },
    {"id": "fim", "tipo": "saida", "config": {"motivo": "acabou"}},
]


def journey_body(**changes: Any) -> dict[str, Any]:
    """A body that is taken, with changes."""
    body = {
        "name": "Boas-vindas",
        "gatilho": {"nome": "signup"},
        "passos": STEPS,
        "entradaPasso": "ola",
    }
    return {name: value for name, value in {**body, **changes}.items() if value is not None}


async def a_journey(caller: Caller, **changes: Any) -> journeys.JourneyRecord:
    """A stored journey."""
    new = journeys.NewJourney.model_validate(journey_body(name=new_id("name"), **changes))
    return await journeys.create_journey(caller, new)
