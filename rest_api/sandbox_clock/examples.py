"""Examples of clocks."""

REAL = {"agora": "2026-11-25T13:04:11.482Z", "congelado": False, "status": "real", "aplicados": 0}

STANDING = {
    "agora": "2026-12-01T12:00:00.000Z",
    "congelado": True,
    "status": "pronto",
    "aplicados": 0,
}

ADVANCING = {
    "agora": "2026-12-01T12:00:00.000Z",
    "congelado": True,
    "status": "avancando",
    "aplicados": 0,
    "de": "2026-12-01T12:00:00.000Z",
    "para": "2026-12-31T12:00:00.000Z",
    "proximo": "2026-12-01T12:00:03.000Z",
}

THERE = {
    "agora": "2026-12-31T12:00:00.000Z",
    "congelado": True,
    "status": "pronto",
    "aplicados": 3,
    "de": "2026-12-01T12:00:00.000Z",
}
