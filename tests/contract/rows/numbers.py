"""Interface: Number, Usage; Endpoints, Conversational channel: numbers. Decisions: Health body,
Sandbox.
"""

from core import numbers
from core.foundation.security.caller import Caller
from core.numbers import SandboxEvent, SandboxEventKind
from tests.contract.table import Answer, Endpoint, Event, Limit, Page, Refusal
from tests.contract.world import World
from tests.factories.numbers import a_number, an_instagram_account


async def a_number_id(caller: Caller) -> str:
    """A number that sends."""
    return (await a_number(caller)).id


async def an_instagram_id(caller: Caller) -> str:
    """An Instagram account."""
    return (await an_instagram_account(caller)).id


RECORDS = {"number": a_number_id, "instagram account": an_instagram_id}

LISTED = "GET /numbers"
HEALTH, USAGE, SERIES = (
    f"GET /numbers/{{id}}/{name}" for name in ("health", "usage", "usage/timeseries")
)
HAPPENS = "POST /v2/sandbox/numbers/{id}/events"
OF_NUMBER = {"id": "<number>"}

ENDPOINTS = [
    Endpoint(
        address=LISTED,
        scope="numbers:read",
        errors="401 403",
        parameters="status qualityRating limit* skip* cursor",
    ),
    Endpoint(
        address="GET /numbers/{id}", scope="numbers:read", errors="401 403 404", ids=OF_NUMBER
    ),
    Endpoint(address=HEALTH, scope="numbers:read", errors="401 403 404", ids=OF_NUMBER),
    Endpoint(
        address=USAGE,
        scope="numbers:read",
        errors="401 403 404",
        ids=OF_NUMBER,
        parameters="window*",
    ),
    Endpoint(
        address=SERIES,
        scope="numbers:read",
        errors="401 403 404",
        ids=OF_NUMBER,
        parameters="window* bucket*",
    ),
    Endpoint(
        address=HAPPENS,
        scope="messages:send",
        errors="400 401 403 404 422",
        ids=OF_NUMBER,
        fields="tipo! valor",
        body={"tipo": "quality", "valor": "yellow"},
    ),
]

TESTS = "tests/core/numbers/test_create.py::"
REFUSALS = [
    Refusal(status=404, address=HAPPENS, env="live"),
    Refusal(
        status=409,
        meta={"code": "NUMERO_INDISPONIVEL"},
        proven_by="tests/core/numbers/test_reading.py::test_only_a_connected_or_flagged_number_sends",
    ),
    Refusal(
        status=409,
        meta={"code": "NUMERO_JA_CADASTRADO"},
        proven_by=f"{TESTS}test_a_phone_is_registered_once_per_organization_and_environment",
    ),
    Refusal(
        status=409,
        meta={"code": "CONTA_JA_CADASTRADA"},
        proven_by=f"{TESTS}test_an_instagram_account_is_registered_once",
    ),
    Refusal(status=422, address=HAPPENS, change={"valor": ...}, wrong={"/valor": "required"}),
    Refusal(status=422, address=HAPPENS, change={"tipo": "tier"}, wrong={"/valor": "not_allowed"}),
    Refusal(status=502, proven_by=f"{TESTS}test_what_the_platform_does_not_confirm_is_not_stored"),
]


async def the_quality_falls(world: World) -> None:
    event = SandboxEvent(tipo=SandboxEventKind.QUALITY, valor="red")
    await numbers.simulate_event(world.caller, await world.record("number"), event)


async def the_service_is_removed(world: World) -> None:
    await numbers.simulate_event(
        world.caller,
        await world.record("number"),
        SandboxEvent(tipo=SandboxEventKind.PARTNER_REMOVED),
    )


EVENTS = [
    Event(name="number.quality_changed", data="numberId from to env", cause=the_quality_falls)
]

ANSWERS = [
    Answer(
        address="GET /numbers/{id}",
        tells={
            "status": "connected",
            "qualityRating": "green",
            "messagingTier": "unlimited",
            "meta/partnerRemovedAt": None,
            "meta/partnerRemovedReason": None,
        },
    ),
    Answer(
        address="GET /numbers/{id}",
        before=the_service_is_removed,
        tells={"status": "connected", "meta/partnerRemovedReason": "PARTNER_REMOVED"},
    ),
    Answer(address=HEALTH, tells={"fonte": "ao_vivo", "podeEnviar": True, "problemas": []}),
    Answer(
        address=HEALTH, env="live", tells={"fonte": "cache", "problemas/0/codigo": "SEM_PLATAFORMA"}
    ),
    Answer(
        address=HEALTH,
        before=the_quality_falls,
        tells={"status": "flagged", "podeEnviar": True, "problemas/0/codigo": "QUALIDADE_BAIXA"},
    ),
    Answer(
        address=HEALTH,
        before=the_service_is_removed,
        tells={
            "podeEnviar": False,
            "problemas/0/codigo": "PARTNER_REMOVED",
            "problemas/0/gravidade": "alta",
        },
    ),
    Answer(
        address=HEALTH, tells={"profile/vertical": "OTHER", "profile/email": "sandbox@example.com"}
    ),
    Answer(address=USAGE, tells={"window": "24h", "sent": 0, "marketingSent": 0}),
    Answer(address=USAGE, query={"window": "30d"}, tells={"window": "30d"}),
    Answer(address=USAGE, query={"window": "1y"}, tells={"window": "24h"}),
    Answer(
        address=SERIES,
        tells={"window": "24h", "bucket": "hour", "points/0/sent": 0, "points/24/sent": 0},
    ),
    Answer(address=SERIES, query={"bucket": "day"}, tells={"bucket": "day", "points/1/sent": 0}),
    Answer(address=SERIES, query={"bucket": "minute"}, tells={"bucket": "hour"}),
    Answer(address=HAPPENS, tells={"qualityRating": "yellow", "status": "connected"}),
    Answer(
        address=HAPPENS,
        change={"valor": "red"},
        tells={"qualityRating": "red", "status": "flagged"},
    ),
    Answer(
        address=HAPPENS,
        change={"tipo": "tier", "valor": "tier_250"},
        tells={"messagingTier": "tier_250", "rateLimit/perDay": 250},
    ),
]

LIMITS = [
    *(
        Limit(address=address, field="?window", takes=["24h", "7d", "30d"])
        for address in (USAGE, SERIES)
    ),
    Limit(address=SERIES, field="?bucket", takes=["hour", "day"]),
    Limit(
        address=HAPPENS,
        field="/tipo",
        takes=["quality", "partner_removed", "app_uninstalled", "partner_restored"],
        refuses=[("name", "not_allowed"), ("", "not_allowed")],
    ),
    Limit(
        address=HAPPENS,
        field="/valor",
        takes=["green", "yellow", "red", "unknown"],
        refuses=[("purple", "not_allowed"), ("r" * 21, "too_long"), ("tier_1k", "not_allowed")],
    ),
    Limit(
        address=HAPPENS,
        field="/valor",
        change={"tipo": "tier"},
        takes=["tier_250", "tier_1k", "tier_2k", "tier_10k", "tier_100k", "unlimited"],
        refuses=[("tier_5k", "not_allowed")],
    ),
]

PAGES = [
    Page(
        address=LISTED,
        fill=lambda world, count: world.rows(
            "number", count, table="numbers", unique=("phone", "phone_number_id")
        ),
    )
]
