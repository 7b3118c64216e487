"""AWS that answers at once: sends are taken, a queue hands out what it was filled with. No checks."""

from collections import deque
from itertools import count

import orjson
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

JSON = "application/x-amz-json-1.0"
_queue: deque[str] = deque()
_numbers = count()


def create_app() -> Starlette:
    """A new application; uvicorn calls this."""
    return Starlette(
        routes=[
            Route("/", operation, methods=["POST"]),
            Route("/fill", fill, methods=["POST"]),
            Route("/readyz", ready),
        ]
    )


async def ready(_: Request) -> Response:
    """It is."""
    return Response()


async def fill(request: Request) -> Response:
    """Put a list of messages into the queue."""
    _queue.extend(orjson.loads(await request.body()))
    return Response()


async def operation(request: Request) -> Response:
    """SendTextMessage, ReceiveMessage, DeleteMessageBatch."""
    body = orjson.loads(await request.body())
    match request.headers["x-amz-target"].partition(".")[2]:
        case "SendTextMessage":
            answer: object = {"MessageId": f"eum-{next(_numbers)}"}
        case "ReceiveMessage":
            texts = [_queue.popleft() for _ in range(min(len(_queue), body["MaxNumberOfMessages"]))]
            answer = {
                "Messages": [
                    {"MessageId": "m", "ReceiptHandle": str(next(_numbers)), "Body": text}
                    for text in texts
                ]
            }
        case _:
            answer = {"Successful": [], "Failed": []}
    return Response(orjson.dumps(answer), media_type=JSON)
