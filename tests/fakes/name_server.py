"""A name server on loopback, over UDP: it has the TXT records that it is told."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from dns import flags, message, rcode, rdatatype, rrset

SILENCE = "silence"
"""In place of records: no answer at all."""
FAULT = "fault"
"""In place of records: the server fails."""


@dataclass
class NameServer(asyncio.DatagramProtocol):
    """`records` are texts by name; an empty list is a name without TXT records. What is not there
    does not exist.
    """

    records: dict[str, list[str] | str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    port: int = 0
    transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def datagram_received(self, data: bytes, addr: tuple[str | Any, int]) -> None:
        query = message.from_wire(data)
        (question,) = query.question
        name = str(question.name).rstrip(".").lower()
        self.asked.append(name)
        found = self.records.get(name)
        if found == SILENCE:
            return
        answer = message.make_response(query)
        answer.flags |= flags.AA
        if found == FAULT:
            answer.set_rcode(rcode.SERVFAIL)
        elif found is None:
            answer.set_rcode(rcode.NXDOMAIN)
        elif found:
            texts = [" ".join(f'"{part}"' for part in text.split("|")) for text in found]
            answer.answer.append(
                rrset.from_text(question.name, 60, "IN", rdatatype.to_text(rdatatype.TXT), *texts)
            )
        self.transport.sendto(answer.to_wire(), addr)


@asynccontextmanager
async def a_name_server() -> AsyncIterator[NameServer]:
    """One that has no records yet."""
    server = NameServer()
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(lambda: server, local_addr=("127.0.0.1", 0))
    server.port = transport.get_extra_info("sockname")[1]
    try:
        yield server
    finally:
        transport.close()
