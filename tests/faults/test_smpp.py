"""Whatever dies under a client of SMPP that sends again what was not answered: one message of each text, and
each receipt at least once.
"""

import asyncio
import random
from collections import deque
from contextlib import suppress
from typing import Any

import pytest

from smpp_api.wire.bodies import Address, Named, ShortMessage, read_body
from smpp_api.wire.commands import Command, CommandStatus
from smpp_api.wire.frames import framed
from smpp_api.wire.parameters import Tag
from tests.smpp_api.client import Client
from tests.support.books import check_wallets, everything_is_settled, no_transaction_is_left_open
from tests.support.service import Service
from tests.support.waiting import eventually

pytestmark = pytest.mark.slow

WINDOW = 20
STEP = 60


class Sender:
    """A client that keeps its window full, connects again whenever it is cut off, and sends again what
    was not answered, or put off.
    """

    def __init__(self, port: int, account: dict[str, Any]) -> None:
        self.port, self.account = port, account
        self.answers: dict[int, str] = {}
        self.refused: list[CommandStatus] = []
        self.receipts: list[str] = []
        self._to_send: deque[int] = deque()
        self._sent = 0
        self._under_way: dict[int, int] = {}
        self._is_done = False

    async def more(self, count: int) -> None:
        """Send so many more, until all are answered."""
        self._to_send.extend(range(self._sent, self._sent + count))
        self._sent += count
        await eventually(
            lambda: len(self.answers) == self._sent,
            lambda: f"{len(self.answers)} of {self._sent} are answered; {self.refused[-3:]}",
        )

    async def run(self) -> None:
        """Until it is done."""
        while not self._is_done:
            with suppress(OSError, TimeoutError, AssertionError):
                await self._connection()
            self._to_send.extend(self._under_way.values())
            self._under_way.clear()
            await asyncio.sleep(0.05)

    def done(self) -> None:
        """Connect no more."""
        self._is_done = True

    async def _connection(self) -> None:
        client = await Client.connected(self.port)
        try:
            if await client.bind(self.account) is not CommandStatus.ESME_ROK:
                return
            sequence = 100
            while not self._is_done:
                while self._to_send and len(self._under_way) < WINDOW:
                    sequence += 1
                    self._under_way[sequence] = number = self._to_send.popleft()
                    await client.write(framed(Command.SUBMIT_SM, sequence, text_of(number).write()))
                # A word of its own, so that it looks for more to send when nothing comes.
                await client.write(framed(Command.ENQUIRE_LINK, 1))
                if not await self._take(client):
                    return
        finally:
            client.cut()

    async def _take(self, client: Client) -> bool:
        """What comes, up to the answer to its own word; False where the connection has ended."""
        while (frame := await client.next()) is not None:
            if frame.command == Command.ENQUIRE_LINK_RESP:
                await asyncio.sleep(0.005)
                return True
            body = read_body(frame.command, frame.body)
            if isinstance(body, ShortMessage):
                self.receipts.append(body.parameters[Tag.RECEIPTED_MESSAGE_ID].decode().strip("\0"))
                await client.write(framed(Command.DELIVER_SM_RESP, frame.sequence, b"\0"))
            elif isinstance(body, Named):
                number = self._under_way.pop(frame.sequence)
                if frame.status == CommandStatus.ESME_ROK:
                    assert self.answers.setdefault(number, body.name) == body.name
                else:
                    self.refused.append(CommandStatus(frame.status))
                    self._to_send.append(number)
        return False


def text_of(number: int) -> ShortMessage:
    return ShortMessage(
        Address("SVC", 5, 0),
        Address(f"55119{8000 + number % 1000}0005", 1, 1),
        b"%d" % number,
        registered_delivery=1,
    )


async def test_whatever_dies_each_text_is_one_message_and_each_receipt_comes(
    service: Service,
) -> None:
    org = service._known.organization_id
    account = await service.svc(
        *("smpp-account", "create", "client", "--org", org, "--env", "test"),
        *("--window", str(WINDOW), "--dedupe-seconds", "120"),
    )
    worker = await service.worker()
    server, port = await service.smpp()
    sender = Sender(port, account)
    sending = asyncio.create_task(sender.run())

    for trouble in ("server", "worker", "postgres", "redis", "server"):
        load = asyncio.create_task(sender.more(STEP))
        answered = len(sender.answers)
        await eventually(lambda: len(sender.answers) > answered + 5, f"it sends before {trouble}")  # noqa: B023
        await asyncio.sleep(random.uniform(0, 0.05))  # anywhere between two answers
        match trouble:
            case "server":
                await server.kill()
                server, _ = await service.smpp(port=port)
            case "worker":
                await worker.kill()
                worker = await service.worker()
            case "postgres":
                await asyncio.to_thread(service.machines.postgres.restart, "immediate")
            case "redis":
                await service.redis.flushall()
        await load

    books = await service.books()
    await everything_is_settled(books)
    # What was being delivered by those that died is theirs for a minute and a half.
    await books.execute("UPDATE smpp_receipts SET due_at = now() WHERE due_at > now()")
    ids = set(sender.answers.values())
    await eventually(
        lambda: set(sender.receipts) >= ids,
        lambda: f"receipts of {len(ids - set(sender.receipts))} more",
    )
    sender.done()
    await sending

    assert set(sender.refused) <= {CommandStatus.ESME_RSYSERR}
    assert len(ids) == len(sender.answers) == 5 * STEP
    rows = await books.fetch("SELECT id, status FROM messages")
    assert {row["id"] for row in rows} == ids == set(sender.receipts)
    assert {row["status"] for row in rows} == {"delivered"}
    await check_wallets(books)
    await no_transaction_is_left_open(books)
