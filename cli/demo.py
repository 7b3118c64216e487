"""`svc demo`: what a customer does on the first day, step by step, against a running `svc dev`."""

import os
import uuid
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cli.demo_file import read_demo
from cli.demo_receiver import Receiver, is_signed, local_receiver
from cli.dev_folder import data_folder, lock_of
from cli.failures import Failure
from cli.output import show

if TYPE_CHECKING:
    import aiohttp

    from cli.demo_steps import Steps

EVENTS = ["sms.delivered", "sms.undelivered", "sms.failed"]
ENDINGS = {
    "0005": "is delivered",
    "0006": "is refused by the carrier",
    "0008": "goes to an invalid number",
    "0114": "meets a provider without credit: it is not charged",
}
"""Last digits of the recipient in the sandbox, and what the message to it does."""

QUERY = """{
  me { wallet { disponivelCoins } }
  messages(first: 4) { nodes { id to status } }
}"""

REPORT_TIMEOUT = 20.0
"""How long a report may take beyond the sandbox's own delay."""


async def demo() -> None:
    """Send sandbox messages, receive their signed webhooks on a local receiver, ask GraphQL, and
    show each step.

    `svc dev` has to run on this data folder (SVC_DATA_DIR). Only the sandbox is used; the
    subscription that the demo makes is removed at its end.
    """
    import aiohttp

    from cli.demo_steps import Steps

    url, key = running_dev()
    async with (
        aiohttp.ClientSession(headers={"Authorization": f"Bearer {key}"}) as http,
        local_receiver() as receiver,
    ):
        api = Api(http, url)
        steps = Steps()
        steps.title(url, receiver.url)
        subscription, secret = await _subscribe(api, steps, receiver)
        try:
            messages = await _send(api, steps)
            await _await_reports(steps, receiver, secret, messages)
            repeated = await _repeat(api, steps, messages[0])
            listed = await _list(api, steps)
            asked = await _ask(api, steps)
        finally:
            removed = await _unsubscribe(api, steps, subscription)
    show(
        {
            "url": url,
            "receiver": receiver.url,
            "subscription": subscription,
            "messages": messages,
            "repeated": repeated,
            "list": listed,
            "graphql": asked,
            "removed": removed,
        },
        text=steps.summary(url, messages),
    )


class Api:
    """Calls of the running API with the demo's sandbox key."""

    def __init__(self, http: "aiohttp.ClientSession", url: str) -> None:
        self._http = http
        self._url = url

    async def call(
        self, method: str, path: str, body: Any = None, *, headers: Mapping[str, str] | None = None
    ) -> tuple[int, Any]:
        """The status and the body of the answer. Raises Failure when nobody answers."""
        import aiohttp

        try:
            async with self._http.request(
                method,
                self._url + path,
                json=body,
                headers=headers,
                timeout=aiohttp.ClientTimeout(total=30),
            ) as answer:
                return answer.status, await answer.json(
                    content_type=None
                ) if answer.status != 204 else None
        except (aiohttp.ClientError, TimeoutError) as error:
            raise Failure(
                f"the API at {self._url} does not answer ({type(error).__name__}): is it ready?"
            ) from error


def running_dev() -> tuple[str, str]:
    """The address of the running `svc dev` and the demo's sandbox key. Raises Failure when none
    runs.
    """
    folder = data_folder()
    if not lock_of(folder).taken():
        raise Failure(
            f"no svc dev is running on {folder}: start it first (`make run`, or `svc dev`)"
        )
    demo = read_demo(folder)
    url = os.environ.get("SVC_DEV_URL")
    if demo is None or url is None:
        if os.environ.get("DATABASE_URL"):
            raise Failure("DATABASE_URL names another database than the running svc dev: unset it")
        raise Failure("svc dev is still starting: try again in a moment")
    return url, demo["test"]["key"]


async def _subscribe(api: Api, steps: "Steps", receiver: Receiver) -> tuple[dict[str, Any], str]:
    body = {"url": receiver.url, "events": EVENTS, "description": "svc demo"}
    status, answer = await api.call("POST", "/webhooks", body)
    steps.call(
        "Subscribe the local receiver", "POST /webhooks", body, status, _without_secret(answer)
    )
    if status == 422:
        raise Failure(
            "the API refuses a receiver on this machine: start svc dev without "
            "SVC_WEBHOOK_ALLOW_NETWORKS and "
            "SVC_WEBHOOK_ALLOW_HTTP, it then allows them by itself"
        )
    _expect(201, status, answer)
    return answer["webhook"], answer["reveal"]["secret"]


async def _send(api: Api, steps: "Steps") -> list[dict[str, Any]]:
    messages = []
    for ending, meaning in ENDINGS.items():
        body = {
            "to": f"+551198765{ending}",
            "body": "Olá! Seu pedido saiu para entrega.",
            "route": "premium",
            "metadata": {"demo": ending},
        }
        idempotency_key = f"demo-{uuid.uuid4()}"
        status, answer = await api.call(
            "POST", "/v2/sms/messages", body, headers={"Idempotency-Key": idempotency_key}
        )
        steps.call(f"Send an SMS that {meaning}", "POST /v2/sms/messages", body, status, answer)
        _expect(503 if ending == "0114" else 201, status, answer)
        messages.append(
            {"idempotencyKey": idempotency_key, "request": body, "status": status, "answer": answer}
        )
    return messages


async def _await_reports(
    steps: "Steps", receiver: Receiver, secret: str, messages: list[dict[str, Any]]
) -> None:
    """Add to each accepted message the webhook that told its fate."""
    from core.foundation.settings import current

    patience = current().sandbox_delay_seconds + REPORT_TIMEOUT
    for message in messages:
        message["webhook"] = None
        if message["status"] != 201:
            continue
        arrival = await receiver.report_on(message["answer"]["id"], within=patience)
        if arrival is None:
            raise Failure(
                f"no webhook arrived within {patience:.0f} s: is the worker running? `svc "
                f"doctor` tells"
            )
        verified = is_signed(secret, arrival)
        message["webhook"] = {
            "event": arrival.event,
            "signature": arrival.headers["x-svc-signature"],
            "deliveryId": arrival.headers["x-svc-delivery-id"],
            "signatureVerified": verified,
        }
        steps.webhook(arrival, verified=verified)
        if not verified:
            raise Failure("the signature of a webhook does not fit the subscription's secret")


async def _repeat(api: Api, steps: "Steps", message: Mapping[str, Any]) -> dict[str, Any]:
    headers = {"Idempotency-Key": message["idempotencyKey"]}
    status, answer = await api.call("POST", "/v2/sms/messages", message["request"], headers=headers)
    title = "Repeat the first with its Idempotency-Key: nothing is sent again"
    steps.call(title, "POST /v2/sms/messages", None, status, answer)
    _expect(201, status, answer)
    repeated: dict[str, Any] = answer
    return repeated


async def _list(api: Api, steps: "Steps") -> dict[str, Any]:
    status, answer = await api.call("GET", f"/v2/sms/messages?limit={len(ENDINGS)}")
    _expect(200, status, answer)
    steps.list(answer)
    listed: dict[str, Any] = answer
    return listed


async def _ask(api: Api, steps: "Steps") -> dict[str, Any]:
    body = {"query": QUERY}
    status, answer = await api.call("POST", "/graphql", body)
    steps.call(
        "Ask GraphQL for messages and wallet in one call", "POST /graphql", body, status, answer
    )
    _expect(200, status, answer)
    if "errors" in answer:
        raise Failure("GraphQL answered with errors; they stand above")
    data: dict[str, Any] = answer["data"]
    return data


async def _unsubscribe(api: Api, steps: "Steps", subscription: Mapping[str, Any]) -> bool:
    status, answer = await api.call("DELETE", f"/webhooks/{subscription['id']}")
    steps.call(
        "Remove the subscription", f"DELETE /webhooks/{subscription['id']}", None, status, answer
    )
    return status == 204


def _expect(wanted: int, status: int, answer: Any) -> None:
    if status != wanted:
        told = answer.get("detail") if isinstance(answer, dict) else answer
        raise Failure(f"the API answered {status} instead of {wanted}: {told}")


def _without_secret(answer: Any) -> Any:
    if isinstance(answer, dict) and "reveal" in answer:
        return {**answer, "reveal": {**answer["reveal"], "secret": "whsec_… (shown this once)"}}
    return answer
