"""Examples of quotes."""

from rest_api.support.sample_ids import QUOTE

ASKED = {
    "itens": [{"canal": "sms", "rota": "premium", "quantidade": 20_000}],
    "validadeMinutos": 60,
}

RESERVED = {
    "itens": [
        {"canal": "sms", "rota": "otp", "quantidade": 500, "body": "Seu código é 481516"},
    ],
    "reservar": True,
}

QUOTED = {
    "id": QUOTE,
    "coins": 14_400_800,
    "itens": [
        {
            "canal": "sms",
            "rota": "premium",
            "quantidade": 20_000,
            "segmentos": 20_000,
            "restante": 20_000,
            "faixas": [
                {"segmentos": 10, "unitCoins": 800},
                {"segmentos": 19_990, "unitCoins": 720},
            ],
            "coins": 14_400_800,
        }
    ],
    "restante": 20_000,
    "validoAte": "2026-11-25T14:04:11.482Z",
    "reservado": False,
    "reservadoCoins": 0,
    "createdAt": "2026-11-25T13:04:11.482Z",
}

CANCELED = {**QUOTED, "canceladaEm": "2026-11-25T13:10:00.000Z"}

PAGE = {"items": [QUOTED]}
