"""submit_sm by one transceiver, against the same sends without any entry point."""

import asyncio
import statistics
import time

from bench.kit.house import House
from bench.kit.organizations import some_customers
from bench.kit.report import Goal, Report, Row
from cli.address import free_port
from core import smpp
from core.foundation.database import db
from core.foundation.security.caller import system_caller
from core.smpp import NewSmppAccount
from smpp_api.wire.bodies import Address, Bind, ShortMessage
from smpp_api.wire.commands import Command
from smpp_api.wire.frames import Frames, framed

WINDOW = 100
JASMIN = 1_000
"""Messages a second that a comparable gateway takes on such a machine."""
SOURCE = Address("SVC", 5, 0)


async def measure(house: House) -> Report:
    """Floor and server in turn; each on the measured core, the client beside the database."""
    floors: list[float] = []
    rates: dict[int, list[float]] = {0: [], 1: []}
    async with house.database():
        [customer] = await some_customers(1)
        admin = system_caller(customer.organization_id, "test")
        new = NewSmppAccount.model_validate({"env": "test", "systemId": "bench", "window": WINDOW})
        account = await smpp.create_account(admin, new)
        for number in range(house.effort.rounds):
            house.say(f"round {number + 1} of {house.effort.rounds}")
            floors.append(await _floor(house, customer.organization_id))
            await _reset()
            for registered, found in rates.items():
                found.append(await _rate(house, account, registered))
                await _reset()
    floor, plain = statistics.median(floors), statistics.median(rates[0])
    return Report(
        "smpp_submit",
        rows=[
            Row("core.sms alone", {"messages per second": floor}),
            Row("submit_sm", {"messages per second": plain}),
            Row("submit_sm, receipt wanted", {"messages per second": statistics.median(rates[1])}),
        ],
        goals=[
            Goal("submit_sm against core.sms alone", plain / floor, "at least", 0.9),
            Goal("messages per second", plain, "at least", 4 * JASMIN),
        ],
        notes=[f"one transceiver with a window of {WINDOW}; the sandbox takes the messages"],
    )


async def _reset() -> None:
    await db.execute(
        "TRUNCATE messages, idempotency_keys, sandbox_reports, wallet_transfers, smpp_receipts, waiting_messages"
    )


async def _floor(house: House, organization_id: str) -> float:
    seconds = house.effort.seconds
    arguments = ("-m", "bench.floors.accept", organization_id, str(WINDOW), str(seconds))
    with house.program("accept", *arguments) as program:
        await program.ended(within=60 + seconds)
        said = program.said("measured")
    assert said is not None
    return float(said["rate"])


async def _rate(house: House, account: smpp.SmppCredentials, registered: int) -> float:
    port = free_port("127.0.0.1", 0)
    arguments = ("-m", "cli", "smpp", "--port", str(port))
    with house.program("smpp", *arguments, changes={"SVC_LOG_FORMAT": "json"}) as server:
        await server.says("smpp_started")
        client = await _Client.bound(port, account)
        await client.submit(0.5, registered)
        found = await client.submit(house.effort.seconds, registered)
        client.close()
        return found


class _Client:
    """One transceiver that keeps its window full."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._frames = Frames()
        self._sequence = 1

    @classmethod
    async def bound(cls, port: int, account: smpp.SmppCredentials) -> "_Client":
        client = cls(*await asyncio.open_connection("127.0.0.1", port))
        bind = Bind(account["systemId"], account["password"])
        client._writer.write(framed(Command.BIND_TRANSCEIVER, 1, bind.write()))
        assert await client._answered() == 1
        return client

    async def submit(self, seconds: float, registered: int) -> float:
        """Messages a second."""
        started, done, waiting = time.perf_counter(), 0, 0
        while waiting or time.perf_counter() - started < seconds:
            if time.perf_counter() - started < seconds:
                self._writer.write(
                    b"".join(self._next(registered) for _ in range(WINDOW - waiting))
                )
                waiting = WINDOW
            count = await self._answered()
            waiting -= count
            done += count
        return done / (time.perf_counter() - started)

    def _next(self, registered: int) -> bytes:
        self._sequence += 1
        message = ShortMessage(
            SOURCE,
            Address(f"55119876{self._sequence % 10_000:04}5", 1, 1),
            b"Seu pedido saiu para entrega hoje",
            registered_delivery=registered,
        )
        return framed(Command.SUBMIT_SM, self._sequence, message.write())

    async def _answered(self) -> int:
        """How many answers have come, all of them good."""
        count = 0
        while not count:
            data = await self._reader.read(262_144)
            assert data, "the server has closed"
            for frame in self._frames.arrived(data):
                if frame.command == Command.DELIVER_SM:
                    self._writer.write(framed(Command.DELIVER_SM_RESP, frame.sequence, b"\0"))
                    continue
                assert frame.status == 0, frame
                count += 1
        return count

    def close(self) -> None:
        """End the connection."""
        self._writer.close()
