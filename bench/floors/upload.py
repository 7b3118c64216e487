"""The least that taking a file in can cost: a bare Starlette handler that writes what arrives to a
file.
"""

import tempfile

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core.foundation.settings import current

PATH = "/upload"


def create_app() -> Starlette:
    """A new application; uvicorn calls this."""
    current().data_dir.mkdir(parents=True, exist_ok=True)
    return Starlette(routes=[Route(PATH, upload, methods=["POST"]), Route("/readyz", ready)])


async def upload(request: Request) -> Response:
    """Write each chunk as it comes; nothing is hashed, looked at or remembered."""
    with tempfile.NamedTemporaryFile(dir=current().data_dir) as file:
        async for chunk in request.stream():
            file.write(chunk)
    return Response(status_code=201)


async def ready(request: Request) -> Response:
    """Nothing to wait for."""
    return Response()
