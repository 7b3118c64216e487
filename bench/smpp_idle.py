"""Memory of 1,000 binds that say nothing, over a server with one."""

import asyncio

import psutil

from bench.kit.house import House
from bench.kit.organizations import some_customers
from bench.kit.report import Goal, Report, Row
from cli.address import free_port
from core import smpp
from core.foundation.security.caller import Caller, system_caller
from core.smpp import NewSmppAccount
from smpp_api.wire.bodies import Bind
from smpp_api.wire.commands import Command
from smpp_api.wire.frames import Frames, framed

ACCOUNTS, BINDS_OF_EACH = 20, 50
SETTLE_SECONDS = 3
MEGABYTE = 1_000_000


async def measure(house: House) -> Report:
    """Open them one after the other, let the server rest, and look at what it occupies."""
    async with house.database():
        [customer] = await some_customers(1)
        admin = system_caller(customer.organization_id, "test")
        accounts = [await _account(admin, number) for number in range(ACCOUNTS)]
        port = free_port("127.0.0.1", 0)
        arguments = ("-m", "cli", "smpp", "--port", str(port))
        program = house.program("smpp", *arguments, changes={"SVC_LOG_FORMAT": "json"})
        with program as server:
            await server.says("smpp_started")
            connections = [await _bound(port, accounts[0])]
            await asyncio.sleep(SETTLE_SECONDS)
            before = _own_memory(server.pid)
            for number in range(1, ACCOUNTS * BINDS_OF_EACH):
                connections += [await _bound(port, accounts[number % ACCOUNTS])]
            await asyncio.sleep(SETTLE_SECONDS)
            used, rested = server.cpu_seconds, house.effort.seconds * house.effort.rounds
            after = _own_memory(server.pid)
            await asyncio.sleep(rested)
            busy = (server.cpu_seconds - used) / rested
            for connection in connections:
                connection.close()
    more = (after - before) / MEGABYTE
    return Report(
        "smpp_idle",
        rows=[
            Row("one bind", {"megabytes": before / MEGABYTE}),
            Row(f"{len(connections)} binds", {"megabytes": after / MEGABYTE, "of a core": busy}),
        ],
        goals=[Goal("megabytes of 1,000 idle binds", more, "at most", 60)],
        notes=["memory of the process alone, without pages that it shares"],
    )


async def _account(admin: Caller, number: int) -> smpp.SmppCredentials:
    new = {"env": "test", "systemId": f"idle-{number}", "maxBinds": BINDS_OF_EACH}
    return await smpp.create_account(admin, NewSmppAccount.model_validate(new))


def _own_memory(pid: int) -> int:
    return int(psutil.Process(pid).memory_full_info().uss)


async def _bound(port: int, account: smpp.SmppCredentials) -> asyncio.StreamWriter:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    bind = Bind(account["systemId"], account["password"])
    writer.write(framed(Command.BIND_TRANSCEIVER, 1, bind.write()))
    frames = Frames()
    while not (arrived := [*frames.arrived(await reader.read(4096))]):
        pass
    assert arrived[0].status == 0, arrived
    return writer
