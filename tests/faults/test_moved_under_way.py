"""An organization moves to another cell with all that may be under way: a message that is scheduled and what is held for
it, a journey in a wait, deliveries that hang or are tried again, an import, a file that is half uploaded, a client that
is bound over SMPP. Each comes to its end once.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from core.foundation.clock import real_now, wire_time
from tests.faults.test_journeys import made
from tests.faults.test_move_killed import SHORT_MEMORY, STAGES, Moves, rows, south
from tests.faults.test_smpp import Sender
from tests.support.books import check_wallets, everything_is_settled, no_transaction_is_left_open
from tests.support.customer import Customer
from tests.support.receiver import Arrival, Receiver
from tests.support.service import Service
from tests.support.waiting import eventually

__all__ = ["south"]

pytestmark = pytest.mark.slow

LINES = 1_500
WAIT_HOURS = 0.003
"""Of the journey: some eleven seconds."""
SCHEDULED = timedelta(seconds=9)
FILE = b"item;valor\n" * 2_000


async def test_each_comes_to_its_end_once(service: Service, south: str, receiver: Receiver) -> None:
    api = await service.api(script=SHORT_MEMORY)
    await service.worker(script=SHORT_MEMORY)
    _, port = await service.smpp(script=SHORT_MEMORY)
    customer = await service.new_customer(api)
    id = customer.credential.organization_id
    names = ("main", "south") if service.cell is None else ("south", "main")
    moves = Moves(service, id, *names)
    left = await service.books()
    there = await service._look_into(
        south if service.cell is None else service.environment["DATABASE_URL"]
    )

    await customer.subscribe(receiver, ("sms.delivered", "contact.created"))
    failures = Failures(receiver)
    account = await service.svc(
        *("smpp-account", "create", "client", "--org", id, "--env", "test"),
        *("--window", "20", "--dedupe-seconds", "120"),
    )
    sender = Sender(port, account)
    sending = asyncio.create_task(sender.run())
    await sender.more(20)
    scheduled = await a_scheduled_message(customer)
    journey = await a_journey_that_waits(customer, receiver)
    card = await a_card(customer)

    receiver.hold(lambda arrival: b"held" in arrival.body)
    held = await customer.send("0005", idempotency_key="held", metadata={"kind": "held"})
    assert held.status == 201, held
    await eventually(lambda: receiver.waiting, "a receiver hangs")

    moving = moves.begin(moves.target)
    upload = asyncio.create_task(attached(service, customer, card, is_moved(moving)))
    importing = asyncio.create_task(imported(customer))
    more = asyncio.create_task(sender.more(40))
    await eventually(lambda: "switched" in moving.lines, lambda: f"it moves\n{moving.lines}")
    receiver.release()
    assert await moving.ended() == 0, moving.lines
    assert await upload == 201
    await importing
    await more
    sender.done()
    await sending

    await eventually(lambda: journey_is_over(customer, journey), "the journey goes on")
    await everything_is_settled(there)
    assert await rows(left, id) == 0
    answer = await customer.call("GET", f"/v2/sms/messages/{scheduled}")
    assert answer.body["status"] == "delivered"
    assert len(set(sender.answers.values())) == len(sender.answers) == 60
    assert await there.fetchval("SELECT count(*) FROM messages") == 60 + 3
    contacts = await there.fetchval("SELECT count(*) FROM contacts WHERE name LIKE 'Linha%'")
    assert contacts == LINES
    assert await there.fetchval("SELECT count(*) FROM card_files") == 1
    await everything_is_told(there)
    told = Counter(event["id"] for event in receiver.events())
    again = {event: times for event, times in told.items() if times > 1}
    assert again.keys() <= failures.refused, "nothing that was answered is told twice"
    await check_wallets(there)
    await no_transaction_is_left_open(there)


class Failures:
    """Refuses every fortieth event once: it is tried again, seconds later."""

    def __init__(self, receiver: Receiver) -> None:
        self.refused: set[str] = set()
        self._arrived = 0
        receiver.answer = self.answer

    def answer(self, arrival: Arrival) -> int:
        """The status for a delivery."""
        self._arrived += 1
        id = arrival.event["id"]
        if self._arrived % 40 or id in self.refused:
            return 200
        self.refused.add(id)
        return 500


async def a_scheduled_message(customer: Customer) -> str:
    """Its id; its price is held until it leaves."""
    body = {
        "to": "+5511987650005",
        "body": "Olá",
        "route": "premium",
        "scheduledAt": wire_time(real_now() + SCHEDULED),
    }
    headers = {"Idempotency-Key": "scheduled"}
    sent = await customer.call("POST", "/v2/sms/messages", body, headers=headers)
    assert sent.status == 201, sent
    id: str = sent.body["id"]
    return id


async def a_journey_that_waits(customer: Customer, receiver: Receiver) -> str:
    """Somebody stands in its wait, with a message behind it."""
    person = await made(customer, "/contacts", {"name": "Ana", "phone": "+5511987660005"})
    steps: list[dict[str, Any]] = [
        {
            "id": "wait",
            "tipo": "espera",
            "config": {"duracaoHoras": WAIT_HOURS},
            "proximo": "hello",
        },
        {
            "id": "hello",
            "tipo": "mensagem",
            "config": {"canal": "sms", "texto": "Olá"},
            "proximo": "end",
        },
        {"id": "end", "tipo": "saida", "config": {"motivo": "through"}},
    ]
    new = {"name": "Waits", "gatilho": {"nome": "signup"}, "entradaPasso": "wait"}
    id: str = (await made(customer, "/v2/journeys", {**new, "passos": steps}))["id"]
    await made(customer, f"/v2/journeys/{id}/ativar", {})
    contact = person.get("id") or person["contact"]["id"]
    await made(customer, f"/v2/journeys/{id}/entradas", {"contactIds": [contact]})
    return id


async def journey_is_over(customer: Customer, id: str) -> bool:
    """Whether whoever was in it is through."""
    answer = await customer.call("GET", f"/v2/journeys/{id}")
    return answer.status == 200 and answer.body["execucoes"]["concluida"] == 1


async def a_card(customer: Customer) -> str:
    """Its id."""
    pipeline = await made(customer, "/pipelines", {"nome": "Vendas", "etapas": STAGES})
    body = {"titulo": "Renovação", "pipelineId": pipeline["id"]}
    id: str = (await made(customer, "/cards", body))["id"]
    return id


def is_moved(moving: Any) -> Any:
    """Whether the move has come to its end."""
    return lambda: not moving.running


async def attached(service: Service, customer: Customer, card: str, goes_on: Any) -> int:
    """The status of an upload that begins now and ends when something is over."""

    async def pieces() -> AsyncIterator[bytes]:
        yield FILE[:100]
        await eventually(goes_on, "the move is over")
        yield FILE[100:]

    headers = {
        "Authorization": f"Bearer {customer.credential.key}",
        "Content-Type": "application/octet-stream",
        "x-filename": "a.csv",
        "x-content-type": "text/csv",
    }
    path = f"{customer.urls[0]}/cards/{card}/arquivos"
    async with service.http.post(path, data=pieces(), headers=headers) as answer:
        return answer.status


async def imported(customer: Customer) -> None:
    """All lines are imported; what is refused while it moves is sent again."""
    lines = [
        {"name": f"Linha {number}", "phone": f"+55119{80000000 + number}"}
        for number in range(LINES)
    ]
    for first in range(0, LINES, LINES // 15):
        body = {"contatos": lines[first : first + LINES // 15]}
        done = await made(customer, "/contacts/import", body)
        assert not done["erros"], done
        await asyncio.sleep(0.3)


async def everything_is_told(there: Any) -> None:
    """No delivery is open, and none is dead."""
    await eventually(
        lambda: there.fetchval(
            "SELECT NOT EXISTS (SELECT FROM webhook_deliveries WHERE due_at IS NOT NULL)"
        ),
        "everything is told",
    )
    found = await there.fetch("SELECT DISTINCT status FROM webhook_deliveries")
    assert [row["status"] for row in found] == ["entregue"]
