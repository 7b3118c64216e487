"""Design: the movable clock of the sandbox."""

from datetime import timedelta

from core import sandbox_clock
from core.foundation.clock import real_now
from core.sandbox_clock import ClockAdvance, ClockSetting
from tests.contract.table import Answer, Endpoint, Limit, Refusal
from tests.contract.world import World

READ, SET, ADVANCE = (
    "GET /v2/sandbox/clock",
    "PUT /v2/sandbox/clock",
    "POST /v2/sandbox/clock/avancar",
)
AHEAD = (real_now() + timedelta(days=30)).isoformat()
TOO_FAR = (real_now() + timedelta(days=731)).isoformat()
PAST = "2020-01-01T00:00:00Z"


async def it_stands(world: World) -> None:
    await sandbox_clock.set_clock(world.caller, ClockSetting(congelado=True))


async def it_advances(world: World) -> None:
    await it_stands(world)
    await sandbox_clock.advance_clock(world.caller, ClockAdvance(por="P1D"))


ENDPOINTS = [
    Endpoint(address=READ, scope="messages:read", errors="401 403 404"),
    Endpoint(
        address=SET,
        scope="messages:send",
        errors="401 403 404 409 422",
        fields="agora congelado",
        body={"agora": AHEAD, "congelado": True},
    ),
    Endpoint(
        address=ADVANCE,
        scope="messages:send",
        status=202,
        errors="401 403 404 409 422",
        fields="por ate passo",
        whole="required",
        body={"ate": AHEAD},
        before=it_stands,
    ),
]

LIMITS = [
    Limit(
        address=SET,
        field="/agora",
        takes=[AHEAD],
        refuses=[
            ("amanhã", "wrong_format"),
            (PAST, "RELOGIO_PARA_TRAS"),
            (TOO_FAR, "too_large"),
        ],
    ),
    Limit(address=SET, field="/congelado", takes=[True, False], refuses=[("sim", "wrong_type")]),
    Limit(
        address=ADVANCE,
        field="/por",
        change={"ate": None},
        takes=["P30D", "PT1H30M", "P2W", "P1DT12H"],
        refuses=[
            ("P", "wrong_format"),
            ("P1M", "wrong_format"),
            ("30", "wrong_format"),
            ("P731D", "too_large"),
            ("P" * 41, "too_long"),
        ],
        before=it_stands,
    ),
    Limit(
        address=ADVANCE,
        field="/ate",
        takes=[AHEAD],
        refuses=[
            ("amanhã", "wrong_format"),
            (PAST, "RELOGIO_PARA_TRAS"),
            (TOO_FAR, "too_large"),
        ],
        before=it_stands,
    ),
    Limit(
        address=ADVANCE,
        field="/passo",
        change={"ate": None},
        refuses=[("anterior", "not_allowed")],
        before=it_stands,
    ),
]

REFUSALS = [
    *(Refusal(status=404, address=address, env="live") for address in (READ, SET)),
    Refusal(
        status=404,
        address=ADVANCE,
        proven_by="tests/core/sandbox_clock/test_setting.py::test_production_has_no_clock",
    ),
    Refusal(status=409, address=SET, meta={"code": "RELOGIO_AVANCANDO"}, before=it_advances),
    Refusal(status=409, address=ADVANCE, meta={"code": "RELOGIO_AVANCANDO"}, before=it_advances),
    Refusal(
        status=409,
        address=ADVANCE,
        meta={"code": "NADA_A_VENCER"},
        change={"ate": ..., "passo": "proximo"},
    ),
    Refusal(
        status=409,
        address=ADVANCE,
        meta={"code": "RELOGIO_NAO_DEFINIDO"},
        proven_by="tests/core/sandbox_clock/test_setting.py::test_a_clock_is_set_before_it_is_advanced",
    ),
    Refusal(
        status=422,
        address=SET,
        change={"agora": PAST},
        meta={"code": "RELOGIO_PARA_TRAS"},
        wrong={"/agora": "RELOGIO_PARA_TRAS"},
    ),
]

ANSWERS = [
    Answer(address=READ, tells={"status": "real", "congelado": False}),
    Answer(address=SET, tells={"status": "pronto", "congelado": True}),
    Answer(address=ADVANCE, tells={"status": "avancando", "aplicados": 0}),
]
