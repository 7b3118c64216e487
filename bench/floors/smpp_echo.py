"""A server that answers each PDU with ESME_ROK and nothing else: what the language does with one connection."""

import argparse
import asyncio
import struct
import sys
from typing import cast

import uvloop

HEADER = struct.Struct(">IIII")
ANSWER = 0x80000000


class _Echo(asyncio.Protocol):
    def __init__(self) -> None:
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        data, place, answers = self._rest + data, 0, []
        while len(data) - place >= HEADER.size:
            length, command, _, sequence = HEADER.unpack_from(data, place)
            if len(data) - place < length:
                break
            answers.append(HEADER.pack(17, command | ANSWER, 0, sequence) + b"\0")
            place += length
        self._rest = data[place:]
        self._transport.write(b"".join(answers))


async def _main(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(_Echo, "127.0.0.1", port)
    sys.stdout.write('{"event": "smpp_started", "timestamp": "1970-01-01T00:00:00Z"}\n')
    sys.stdout.flush()
    await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    uvloop.run(_main(parser.parse_args().port))
