"""Examples of rehearsals."""

from typing import Any

from rest_api.support.sample_ids import CONTACT

ONE: dict[str, Any] = {
    "contactId": CONTACT,
    "em": "2026-11-21T12:00:00Z",
    "eventos": [
        {"nome": "purchase", "em": "2026-11-23T09:30:00Z", "properties": {"loja": "centro"}}
    ],
}
REHEARSED = {
    "passos": [
        {"passo": "ola", "em": "2026-11-21T12:00:00.000Z", "resultado": "seguiu"},
        {
            "passo": "pausa",
            "em": "2026-11-21T12:00:00.000Z",
            "ate": "2026-11-22T12:00:00.000Z",
            "resultado": "seguiu",
        },
        {
            "passo": "vip",
            "em": "2026-11-22T12:00:00.000Z",
            "resultado": "seguiu",
            "caminho": "seSim",
        },
        {
            "passo": "lembrete",
            "em": "2026-11-22T12:00:00.000Z",
            "resultado": "pulada",
            "motivo": "OPT_OUT",
        },
    ],
    "coins": 2500,
}
SAMPLE = {"n": 1000}
FORECAST = {
    "publico": 12840,
    "amostra": 1000,
    "passos": [
        {"passo": "ola", "pessoas": 12840},
        {"passo": "pausa", "pessoas": 12840},
        {"passo": "vip", "pessoas": 12840},
        {"passo": "lembrete", "pessoas": 3107},
    ],
    "coins": 34586900,
    "termino": "2026-11-22T12:00:00.000Z",
}
