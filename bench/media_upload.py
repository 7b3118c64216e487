"""Uploading a file of 100 MB, as bytes and as base64: speed against a bare handler, and the memory
of the process.
"""

import asyncio
import base64
import os
import statistics
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from bench.floors import upload as floor
from bench.kit.house import House
from bench.kit.organizations import Customer, some_customers
from bench.kit.program import Program
from bench.kit.report import Goal, Report, Row
from core import numbers
from core.foundation.security.caller import system_caller

SIZE = 100_000_000
PIECE = 262_144
MEGABYTE = 1_000_000
LOOK_SECONDS = 0.01


@dataclass(frozen=True, slots=True)
class Sending:
    """A request whose body lies in a file."""

    path: str
    headers: dict[str, str]
    body: Path


@dataclass(frozen=True, slots=True)
class Round:
    """One upload: its seconds, and by how many bytes the process was larger meanwhile than at its
    start.
    """

    seconds: float
    growth: int


async def measure(house: House) -> Report:
    """Rounds of the bare handler, the binary upload and the JSON one in turn, each to its own
    process.
    """
    async with house.database():
        [customer] = await some_customers(1)
        caller = system_caller(customer.organization_id, "test")
        new = numbers.NewNumber.model_validate({"phone": "+5511987654321", "name": "Bench"})
        number_id = (await numbers.create_number(caller, new))["id"]
    sendings = _sendings(house.folder, customer, number_id)
    rounds: dict[str, list[Round]] = {name: [] for name in sendings}
    with house.api() as api, house.application("bench.floors.upload:create_app") as bare:
        for program in (api, bare):
            program.wait_until_ready()
        empty = {program: _memory(program) for program in (api, bare)}
        for number in range(house.effort.rounds + 1):
            house.say(f"round {number} of {house.effort.rounds}" if number else "warming up")
            for name, sending in sendings.items():
                program = bare if sending.path == floor.PATH else api
                result = await _upload(program, sending, empty[program])
                if number:
                    rounds[name].append(result)
    bare_handler, binary, as_json = rounds.values()
    return Report(
        "media_upload",
        rows=[
            Row(
                name,
                {
                    "MB/s": SIZE / MEGABYTE / statistics.median(one.seconds for one in of_one),
                    "ms": statistics.median(one.seconds for one in of_one) * 1000,
                    "memory growth MB": max(one.growth for one in of_one) / MEGABYTE,
                },
            )
            for name, of_one in rounds.items()
        ],
        goals=[
            Goal(
                "binary upload: speed against the bare handler",
                _speed(binary, bare_handler),
                "at least",
                0.5,
            ),
            Goal(
                "binary upload: growth of memory, MB",
                max(one.growth for one in binary) / MEGABYTE,
                "at most",
                32,
            ),
            Goal(
                "JSON upload: growth of memory, MB",
                max(one.growth for one in as_json) / MEGABYTE,
                "at most",
                32,
            ),
        ],
        notes=[
            f"{SIZE // MEGABYTE} MB of random bytes; ours are hashed, looked at, synced to the disk and recorded",
            "memory is the resident size, looked at every 10 ms, against that of the process before its first request",
        ],
    )


def _sendings(folder: Path, customer: Customer, number_id: str) -> dict[str, Sending]:
    content = os.urandom(SIZE)
    raw, text = folder / "content.bin", folder / "content.json"
    raw.write_bytes(content)
    with text.open("wb") as file:
        file.write(
            b'{"filename": "bench.bin", "mimeType": "application/octet-stream", "dataBase64": "'
        )
        file.write(base64.b64encode(content))
        file.write(b'"}')
    octets = {"Content-Type": "application/octet-stream"}
    key = {"Authorization": f"Bearer {customer.key}"}
    named = {"x-filename": "bench.bin", "x-content-type": "application/octet-stream"}
    address = f"/numbers/{number_id}/media"
    return {
        "bare Starlette, bytes to a file": Sending(floor.PATH, octets, raw),
        "binary upload": Sending(f"{address}/binary", {**octets, **key, **named}, raw),
        "JSON upload": Sending(address, {"Content-Type": "application/json", **key}, text),
    }


async def _upload(program: Program, sending: Sending, before: int) -> Round:
    most = before
    started = time.perf_counter()
    posting = asyncio.create_task(_post(program.port, sending))
    while not posting.done():
        await asyncio.wait({posting}, timeout=LOOK_SECONDS)
        most = max(most, _memory(program))
    status = posting.result()
    assert status == 201, f"{sending.path} answered {status}"
    return Round(time.perf_counter() - started, most - before)


def _memory(program: Program) -> int:
    """Resident bytes."""
    return int(psutil.Process(program.pid).memory_info().rss)


async def _post(port: int, sending: Sending) -> int:
    """The status of the answer. The body goes from the file to the socket without a copy of ours."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = "".join(f"{name}: {value}\r\n" for name, value in sending.headers.items())
    size = sending.body.stat().st_size
    head = f"POST {sending.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {size}\r\nConnection: close\r\n{lines}\r\n"
    writer.write(head.encode())
    with sending.body.open("rb") as file:
        while piece := file.read(PIECE):
            writer.write(piece)
            await writer.drain()
    answer = await reader.read()
    writer.close()
    return int(answer.split(b" ", 2)[1])


def _speed(ours: list[Round], bare: list[Round]) -> float:
    return statistics.median(
        other.seconds / one.seconds for one, other in zip(ours, bare, strict=True)
    )
