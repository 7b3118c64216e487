"""The application: every operation of the service behind one ASGI door."""

from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send

from rest_api import health, openapi
from rest_api.lifespan import lifespan
from rest_api.sms.routes import operations as sms
from rest_api.support.operations import Operation
from rest_api.support.router import OperationRouter
from rest_api.webhooks.routes import operations as webhooks

OPERATIONS: tuple[Operation, ...] = (*sms, *webhooks)


class Service(Starlette):
    """Starlette without its middleware stack: every answer, refusals included, is made by our own door."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["app"] = self
        await self.router(scope, receive, send)


def create_app() -> Service:
    """A new application; uvicorn calls this once per process."""
    app = Service(lifespan=lifespan)
    app.router = OperationRouter(OPERATIONS, [*health.routes, openapi.route_for(OPERATIONS)], lifespan=lifespan)
    return app
