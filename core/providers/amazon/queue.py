"""The SQS queue that Amazon's events come by: received in batches, deleted once they are applied."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from core.foundation.json_values import JsonObject, object_of, objects_of, text_of
from core.providers.amazon.calls import AwsApi

BATCH_SIZE = 10
"""Most that SQS hands out, and deletes, at once."""
WAIT_SECONDS = 20
"""How long SQS holds a call while there is nothing."""
SPARE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Queued:
    """A message of the queue. `handle`: what deletes it."""

    handle: str
    text: str
    sent_at: datetime | None


class EventQueue:
    """The queue at `url`."""

    def __init__(self, api: AwsApi, url: str) -> None:
        self._api = api
        self._url = url

    async def receive(self, *, wait: int = WAIT_SECONDS) -> list[Queued]:
        """Up to ten messages; hidden from others for the queue's visibility timeout. Raises
        AwsError.
        """
        answer = await self._api.call(
            "ReceiveMessage",
            {
                "QueueUrl": self._url,
                "MaxNumberOfMessages": BATCH_SIZE,
                "WaitTimeSeconds": wait,
                "MessageSystemAttributeNames": ["SentTimestamp"],
            },
            seconds=wait + SPARE_SECONDS,
        )
        return [_queued(message) for message in objects_of(answer, "Messages")]

    async def delete(self, messages: Sequence[Queued]) -> None:
        """Delete up to ten. One that stays comes again, which changes nothing. Raises AwsError."""
        if messages:
            await self._api.call(
                "DeleteMessageBatch",
                {
                    "QueueUrl": self._url,
                    "Entries": [
                        {"Id": str(place), "ReceiptHandle": message.handle}
                        for place, message in enumerate(messages)
                    ],
                },
            )

    async def look(self) -> int:
        """About how many messages wait. Raises AwsError."""
        answer = await self._api.call(
            "GetQueueAttributes",
            {"QueueUrl": self._url, "AttributeNames": ["ApproximateNumberOfMessages"]},
        )
        return int(text_of(object_of(answer, "Attributes"), "ApproximateNumberOfMessages") or 0)


def _queued(message: JsonObject) -> Queued:
    sent = str(object_of(message, "Attributes").get("SentTimestamp", ""))
    sent_at = datetime.fromtimestamp(int(sent) / 1000, UTC) if sent.isdigit() else None
    return Queued(str(message["ReceiptHandle"]), str(message.get("Body", "")), sent_at)
