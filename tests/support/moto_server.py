"""A server of AWS services by moto, an imitation that is not ours, on loopback in this process."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from moto.server import ThreadedMotoServer


@contextmanager
def a_moto_server() -> Iterator[str]:
    """Its address; it is empty, and all servers of a process share what they hold."""
    server = ThreadedMotoServer("127.0.0.1", 0)
    server.start()
    host, port = server.get_host_and_port()
    address = f"http://{host}:{port}"
    try:
        httpx.post(f"{address}/moto-api/reset").raise_for_status()
        yield address
    finally:
        server.stop()
