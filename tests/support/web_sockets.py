"""A real server of the application in the loop of the test, so that a test can look inside while
clients talk to it.
"""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from starlette.types import ASGIApp

from rest_api.connections import ServedHttpConnection
from rest_api.socket_connections import ServedSocketConnection
from tests.support.waiting import eventually


@asynccontextmanager
async def served(app: ASGIApp) -> AsyncIterator[tuple[str, uvicorn.Server]]:
    """Serve without a lifespan: `host:port` and the server, which ends with the block."""
    with socket.socket() as port:
        port.bind(("127.0.0.1", 0))
        config = uvicorn.Config(
            app,
            http=ServedHttpConnection,
            ws=ServedSocketConnection,
            ws_per_message_deflate=False,
            lifespan="off",
            access_log=False,
            log_config=None,
            timeout_graceful_shutdown=5,
        )
        server = uvicorn.Server(config)
        # Not `serve`: it would take the signals of the test run.
        running = asyncio.create_task(server._serve(sockets=[port]))
        try:
            await eventually(lambda: server.started, "the server serves")
            yield f"127.0.0.1:{port.getsockname()[1]}", server
        finally:
            server.should_exit = True
            await running
