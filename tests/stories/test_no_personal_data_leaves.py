"""Whatever happens, and at the most talkative level: no line of a log and no metric holds anybody's
data or secret.
"""

import asyncio
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import aiohttp

from rest_api.app import OPERATIONS
from tests.support.customer import Customer
from tests.support.processes import Process, free_port
from tests.support.receiver import Receiver
from tests.support.service import Service
from tests.support.waiting import eventually

DIGITS = "11987653141"
PHONE = f"+55{DIGITS}"
NAME = "Quiteriana Xexelônia"
TEXT = "Seu exame de zoonose deu positivo"
PERSON: dict[str, Any] = {
    "to": PHONE,
    "from": PHONE,
    "phone": PHONE,
    "name": NAME,
    "nome": NAME,
    "email": "quiteria.xexeu@particular.test",
    "cpf": "52998224725",
    "body": TEXT,
    "text": TEXT,
    "password": "correto-cavalo-bateria",
    "url": "https://particular.test/hooks/caminho-secreto",
    "metadata": {"paciente": NAME},
}
HEADER_SECRET = "cabecalho-muito-secreto"
IDEMPOTENCY_KEY = "pedido-de-quiteria"
TRACES = (
    DIGITS,
    "Quiteriana",
    "Xexel",
    "particular",
    "52998224725",
    "zoonose",
    "cavalo",
    "caminho-secreto",
    HEADER_SECRET,
    IDEMPOTENCY_KEY,
)
"""What would show in any spelling (plain, quoted, escaped), and does not come up in an id by
chance.
"""

# Faults of the kinds that quote a row, a value, or both.
FAULTS = (
    "ALTER TABLE messages ADD CONSTRAINT too_dear CHECK (coins < 0) NOT VALID",
    "CREATE UNIQUE INDEX one_per_phone ON messages (recipient)",
    "ALTER TABLE webhook_events ADD CONSTRAINT no_data CHECK (data IS NULL) NOT VALID",
)
REPAIRS = (
    "ALTER TABLE messages DROP CONSTRAINT too_dear",
    "DROP INDEX one_per_phone",
    "ALTER TABLE webhook_events DROP CONSTRAINT no_data",
)
CUT_OFF = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND application_name = 'svc'
"""


async def test_no_line_and_no_metric_holds_anybodys_data(
    service: Service, receiver: Receiver
) -> None:
    port = free_port()
    talkative = {"SVC_LOG_LEVEL": "debug"}
    api, worker = await asyncio.gather(
        service.api(settings=talkative),
        service.worker(settings={**talkative, "SVC_WORKER_METRICS_PORT": str(port)}),
    )
    customer = Customer(service.http, api.url, credential=service._known)
    secrets = [customer.credential.key, *await a_day(service, customer, receiver)]
    for operation in OPERATIONS:
        await asked_with_somebodys_data(
            service.http, api.url, operation.method, operation.path, secrets[0]
        )
        await asked_with_somebodys_data(
            service.http, api.url, operation.method, operation.path, secrets[0][:-1]
        )
    await faults(service, customer, api, worker)

    pages = [await page(service.http, url) for url in (api.url, f"http://127.0.0.1:{port}")]
    for process in (api, worker):
        await process.terminate()
    told = {"API": api.lines, "worker": worker.lines, "/metrics": "\n".join(pages)}
    assert {line["level"] for process in (api, worker) for line in process.logged("batch")} <= {
        "debug"
    }
    assert api.logged("request")
    assert worker.logged("worked")
    for told_by, event in ((api, "unexpected"), (worker, "pump_failed")):
        assert any("violates" in line["exception"] for line in told_by.logged(event)), (
            "faults are told, with their cause"
        )
    found = [
        (where, trace, line)
        for where, lines in told.items()
        for line in lines.splitlines()
        for trace in (*TRACES, *secrets)
        if trace in line or quote(trace) in line
    ]
    assert found == []


async def a_day(service: Service, customer: Customer, receiver: Receiver) -> list[str]:
    """Everything goes well; answers the secrets that were shown."""
    subscription = await customer.call(
        "POST",
        "/webhooks",
        {
            "url": f"{receiver.url}/caminho-secreto?name=Xexelônia",
            "events": ["sms.delivered", "sms.received"],
            "description": NAME,
            "headers": [{"key": "X-Token", "value": HEADER_SECRET}],
        },
    )
    assert subscription.status == 201, subscription
    receiver.answer = lambda _: 500  # failed attempts have more to tell
    sent = await customer.call(
        "POST", "/v2/sms/messages", the_sms(), headers={"Idempotency-Key": IDEMPOTENCY_KEY}
    )
    assert sent.status == 201, sent
    reply = {"inReplyTo": sent.body["id"], "body": TEXT}
    assert (await customer.call("POST", "/v2/sandbox/sms/replies", reply)).status == 201
    await eventually(lambda: len(receiver.arrivals) >= 2, "the events arrive")
    assert (await customer.call("GET", f"/{quote(NAME)}/{DIGITS}?to={quote(PHONE)}")).status == 404
    return [subscription.body["reveal"]["secret"]]


def the_sms() -> dict[str, Any]:
    return {"to": PHONE, "body": TEXT, "route": "premium", "metadata": PERSON["metadata"]}


async def asked_with_somebodys_data(
    http: aiohttp.ClientSession, url: str, method: str, path: str, key: str
) -> None:
    """The operation with personal data wherever there is room; how it answers is not the question
    here.
    """
    values = texts(PERSON)
    filled = re.sub(r"{\w+(:path)?}", lambda _: quote(next(values), safe=""), path)
    async with http.request(
        method,
        f"{url}{filled}",
        params={name: value for name, value in PERSON.items() if isinstance(value, str)},
        json=PERSON,
        headers={"Authorization": f"Bearer {key}", "Idempotency-Key": IDEMPOTENCY_KEY},
    ) as answer:
        await answer.read()


def texts(record: dict[str, Any]) -> Iterator[str]:
    """Its texts, round and round."""
    while True:
        yield from (value for value in record.values() if isinstance(value, str))


async def faults(service: Service, customer: Customer, api: Process, worker: Process) -> None:
    """The database refuses what we write, and is cut off in the middle."""
    books = await service.books()
    # One message whose report is due while events cannot be written.
    *others, events = FAULTS
    await books.execute(events)
    await customer.call("POST", "/v2/sms/messages", the_sms(), headers={"Idempotency-Key": "last"})
    await books.execute(
        "DELETE FROM messages WHERE id NOT IN (SELECT message_id FROM sandbox_reports)"
    )
    for fault in others:
        await books.execute(fault)
    refused = await customer.call(
        "POST", "/v2/sms/messages", the_sms(), headers={"Idempotency-Key": "refused"}
    )
    assert refused.status == 500
    await eventually(lambda: worker.logged("pump_failed"), "the worker stumbles")
    for repair in REPAIRS:
        await books.execute(repair)
    await books.execute(CUT_OFF)
    await customer.call(
        "POST", "/v2/sms/messages", the_sms(), headers={"Idempotency-Key": "cut off"}
    )
    await eventually(lambda: api.logged("request"), "there are lines")


async def page(http: aiohttp.ClientSession, url: str) -> str:
    async with http.get(f"{url}/metrics") as answer:
        return await answer.text()
