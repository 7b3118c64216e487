"""The operations of numbers."""

from core import numbers
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from core.read_models import statistics
from rest_api.numbers import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import NUMBER


async def list_numbers(
    call: Call[None, numbers.NumberFilter],
) -> WrittenPage[numbers.NumberPage]:
    return await numbers.list_numbers(call.caller, call.query)


async def get_number(call: Call) -> numbers.NumberRecord:
    return await numbers.get_number(call.caller, call.path["id"])


async def get_health(call: Call) -> numbers.NumberHealth:
    return await numbers.get_health(call.caller, call.path["id"])


async def get_usage(call: Call[None, numbers.UsageQuery]) -> numbers.NumberUsage:
    return await statistics.get_usage(call.caller, call.path["id"], call.query)


async def get_usage_series(
    call: Call[None, numbers.UsageSeriesQuery],
) -> numbers.NumberUsageSeries:
    return await statistics.get_usage_series(call.caller, call.path["id"], call.query)


async def make_happen(call: Call[numbers.SandboxEvent]) -> numbers.NumberRecord:
    return await numbers.simulate_event(call.caller, call.path["id"], call.body)


operations = [
    Operation(
        "GET",
        "/numbers",
        list_numbers,
        Scope.NUMBERS_READ,
        "List numbers, newest first",
        "Numbers",
        errors=(401, 403),
        query=numbers.NumberFilter,
        answer=numbers.NumberPage,
        answers=examples.PAGES,
    ),
    Operation(
        "GET",
        "/numbers/{id}",
        get_number,
        Scope.NUMBERS_READ,
        "Read one number",
        "Numbers",
        errors=(401, 403, 404),
        answer=numbers.NumberRecord,
        answers={"connected": examples.CONNECTED, "removed at the platform": examples.REMOVED},
        ids={"id": NUMBER},
    ),
    Operation(
        "GET",
        "/numbers/{id}/health",
        get_health,
        Scope.NUMBERS_READ,
        "Ask how a number fares",
        "Numbers",
        description=(
            "Asks the platform, at most once in five seconds, and keeps what it says; in between "
            "the answer is what it "
            "said last, with `fonte` cache. So it is when the platform fails, and `problemas` "
            "tells why."
        ),
        errors=(401, 403, 404),
        answer=numbers.NumberHealth,
        answers={"asked just now": examples.HEALTHY, "the platform is silent": examples.LAST_KNOWN},
        ids={"id": NUMBER},
    ),
    Operation(
        "GET",
        "/numbers/{id}/usage",
        get_usage,
        Scope.NUMBERS_READ,
        "Count what a number sent",
        "Numbers",
        description="Only what was really handed over to the platform counts, by the time of that.",
        heavy=True,
        errors=(401, 403, 404),
        query=numbers.UsageQuery,
        answer=numbers.NumberUsage,
        answers={"a day": examples.USAGE},
        ids={"id": NUMBER},
    ),
    Operation(
        "GET",
        "/numbers/{id}/usage/timeseries",
        get_usage_series,
        Scope.NUMBERS_READ,
        "Count what a number sent, by hours or days",
        "Numbers",
        description=(
            "A point for every bucket that the window touches, 0 where nothing was sent. Buckets "
            "are whole hours or "
            "days of UTC: `since` is the start of the first."
        ),
        heavy=True,
        errors=(401, 403, 404),
        query=numbers.UsageSeriesQuery,
        answer=numbers.NumberUsageSeries,
        answers={"a day, by days": examples.SERIES},
        ids={"id": NUMBER},
    ),
    Operation(
        "POST",
        "/v2/sandbox/numbers/{id}/events",
        make_happen,
        Scope.MESSAGES_SEND,
        "Let the platform tell something of a sandbox number",
        "Sandbox",
        description=(
            "Test keys only. A change of quality or tier publishes `number.quality_changed`, and "
            "quality red flags "
            "the number; the others set and clear the partner marks. Answers the number as it is "
            "then."
        ),
        errors=(400, 401, 403, 404, 422),
        body=numbers.SandboxEvent,
        answer=numbers.NumberRecord,
        answers={"flagged": examples.FLAGGED},
        examples=examples.EVENTS,
        ids={"id": NUMBER},
    ),
]
