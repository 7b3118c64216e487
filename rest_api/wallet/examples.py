"""Examples of balances, movements and prices."""

from rest_api.support.sample_ids import MESSAGE, REQUEST

BALANCE = {
    "disponivelCoins": 9999200,
    "reservadoCoins": 0,
    "devidoCoins": 0,
    "limiteAvisoCoins": 100000,
}
FULL = {**BALANCE, "disponivelCoins": 10000000}


def _transfer(id: str, kind: str, source: str, target: str) -> dict[str, object]:
    return {
        "id": id, "origem": MESSAGE, "tipo": kind, "de": source, "para": target, "coins": 800,
        "requestId": REQUEST, "createdAt": "2026-11-21T03:08:12.376Z",
    }  # fmt: skip


TRANSFERS = {
    "items": [
        _transfer("3", "captura", "reservado", "receita"),
        _transfer("2", "reserva", "disponivel", "reservado"),
    ],
    "nextCursor": "WzE3OTUyMzA0OTIzNzYwMDAsIjIiXQ",
}


def _account(name: str, balance: int, came: int, went: int) -> dict[str, object]:
    return {
        "conta": name, "saldoCoins": balance, "somaCoins": balance, "inicioDoDiaCoins": 0,
        "entradasCoins": came,
        "saidasCoins": went, "fimDoDiaCoins": balance,
    }  # fmt: skip


PROOF = {
    "dia": "2026-11-21",
    "confere": True,
    "contas": [
        _account("disponivel", 9999200, 10000000, 800),
        _account("reservado", 0, 800, 800),
        _account("receita", 800, 800, 0),
        _account("estorno", 0, 0, 0),
        _account("devido", 0, 0, 0),
    ],
}
PRICES = {
    "own": False,
    "coinBrl": 0.0001,
    "sms": {
        "premium": [
            {"fromSegment": 1, "coins": 800},
            {"fromSegment": 10000, "coins": 720},
            {"fromSegment": 100000, "coins": 650},
        ],
        "otp": [
            {"fromSegment": 1, "coins": 950},
            {"fromSegment": 10000, "coins": 870},
            {"fromSegment": 100000, "coins": 800},
        ],
    },
    "rcs": {"easy_rcs": 1200, "easy_otp_rcs": 1400},
    "push": {"simple": 20, "rich": 40, "silent": 10},
    "smsReply": 200,
    "email": 10,
    "conversationTemplate": 400,
}
PROVIDER_COSTS = {
    "items": [
        {
            "group": "premium",
            "provider": "cloud-eum",
            "messages": 2,
            "parts": 2,
            "segments": 2,
            "currency": "USD",
            "amount": "0.04860",
            "fee": "0.00300",
            "chargedCoins": 1600,
        }
    ]
}
