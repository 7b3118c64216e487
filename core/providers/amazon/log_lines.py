"""Reading CloudWatch Logs: the lines in which SNS tells what became of messages to phones."""

from dataclasses import dataclass
from datetime import UTC, datetime

import orjson

from core.foundation.clock import wire_time
from core.foundation.json_values import JsonObject, objects_of, text_of
from core.providers.amazon.calls import AwsApi
from core.providers.amazon.events import MAX_PARTS, Cost, dollars
from core.providers.contracts import DeliveryReport

PAGE_SIZE = 10_000

REASONS = (
    ("invalid phone number", ("failed", "invalid_number")),
    ("opted out", ("failed", "blacklisted")),
    ("denied list", ("failed", "blacklisted")),
    ("blacklist", ("failed", "blacklisted")),
    ("phone has blocked", ("failed", "blacklisted")),
    ("unknown error", ("failed", "indeterminate")),
)
"""By words of the carrier; whatever else fails, a carrier did not take it."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """An event of a log group. `ingested`: milliseconds since 1970."""

    id: str
    ingested: int
    text: str


@dataclass(frozen=True, slots=True)
class LoggedOutcome:
    """What a line says of a message that SNS knows by this reference."""

    reference: str
    report: DeliveryReport
    cost: Cost | None


async def read_page(
    api: AwsApi, group: str, *, since: int, token: str | None
) -> tuple[list[LogLine], str | None]:
    """A page of a group's events since a time, oldest first, and what asks for the next. Raises
    AwsError.
    """
    asked: JsonObject = {"logGroupName": group, "startTime": since, "limit": PAGE_SIZE}
    if token is not None:
        asked["nextToken"] = token
    answer = await api.call("FilterLogEvents", asked, seconds=30)
    lines = [
        LogLine(
            str(event.get("eventId")),
            _written_at(event, since),
            str(event.get("message", "")),
        )
        for event in objects_of(answer, "events")
    ]
    return lines, text_of(answer, "nextToken")


def _written_at(event: JsonObject, since: int) -> int:
    """When a line was written, in milliseconds; `since` where nothing tells."""
    written = event.get("ingestionTime") or event.get("timestamp")
    return int(written) if isinstance(written, int | float) else since


def read_line(text: str, *, arrived: datetime) -> LoggedOutcome | None:
    """What a line says; None where it is none of SNS's."""
    try:
        body = orjson.loads(text)
        notification, delivery = body["notification"], body["delivery"]
        reference, status = notification["messageId"], body["status"]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return None
    if not isinstance(reference, str) or not 0 < len(reference) <= 80:
        return None
    if not isinstance(delivery, dict) or status not in ("SUCCESS", "FAILURE"):
        return None
    said = str(delivery.get("providerResponse", ""))[:500]
    state, reason = ("delivered", None) if status == "SUCCESS" else meaning_of(said)
    at = _time(notification.get("timestamp"), arrived)
    receipt = {
        "id": reference,
        "type": "api_message",
        "to": str(delivery.get("destination", ""))[:20],
        "status": status,
        "statusDescription": said or status,
        "received": wire_time(at),
        "channel": "SMS",
    }
    report = DeliveryReport(None, reference, state, reason, at, receipt)  # type: ignore[arg-type]
    return LoggedOutcome(reference, report, _cost(delivery))


def meaning_of(said: str) -> tuple[str, str | None]:
    """Status and reason of a failure, by what the carrier said."""
    words = said.lower()
    for part, meaning in REASONS:
        if part in words:
            return meaning
    return "undelivered", "carrier_rejected"


def _cost(delivery: JsonObject) -> Cost | None:
    amount = dollars(delivery.get("priceInUSD"))
    if amount is None:
        return None
    said = delivery.get("numberOfMessageParts")
    parts = said if isinstance(said, int) and 0 < said <= MAX_PARTS else 0
    carrier = delivery.get("phoneCarrier")
    return Cost(amount, amount * 0, parts, None, str(carrier)[:60] if carrier else None)


def _time(value: object, arrived: datetime) -> datetime:
    """As SNS writes it: `2016-06-28 00:40:34.558`, in UTC."""
    try:
        said = datetime.fromisoformat(value if isinstance(value, str) else "")
    except ValueError:
        return arrived
    return min(said.replace(tzinfo=UTC) if said.tzinfo is None else said.astimezone(UTC), arrived)
