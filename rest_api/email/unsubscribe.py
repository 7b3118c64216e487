"""Where a recipient unsubscribes: GET shows a page with a button and changes nothing, POST does it
(RFC 8058).
"""

import structlog
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from core import email
from core.foundation.clock import now
from core.foundation.database.availability import is_outage
from core.foundation.errors import Internal, MethodNotAllowed, NotFound, ServiceError
from core.foundation.observability.outage_log import tell_outage
from rest_api.support.consumer_pages import page_for
from rest_api.support.methods import allow_of, send_options, without_body
from rest_api.support.problems import send_problem
from rest_api.support.prompt import read_promptly
from rest_api.support.requests import Headers, request_id_of

log = structlog.get_logger()

ALLOW = allow_of(["GET", "POST"])
MAX_FORM_BYTES = 10_000


class Unsubscribe:
    """The address, as an ASGI application."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope["headers"])
        request_id = request_id_of(headers)
        structlog.contextvars.bind_contextvars(request_id=request_id)
        if scope["method"] == "OPTIONS":
            await send_options(send, allow=ALLOW, request_id=request_id)
            return
        if scope["method"] == "HEAD":
            send = without_body(send)
        try:
            response = await _answer(Request(scope, receive), receive, headers, request_id)
        except ServiceError as error:
            await send_problem(send, error, scope, request_id=request_id, allow=ALLOW)
        except Exception:
            log.exception(
                "unexpected", route=scope["route"].path
            )  # never the path: its last part is a secret
            await send_problem(send, Internal(), scope, request_id=request_id)
        else:
            response.headers["X-Request-Id"] = request_id
            await response(scope, receive, send)


async def _answer(
    request: Request, receive: Receive, headers: Headers, request_id: str
) -> Response:
    token = request.path_params["token"]
    try:
        match request.method:
            case "GET" | "HEAD":
                await email.find_unsubscribe_ticket(token)
                return page_for(
                    request,
                    "Unsubscribe?",
                    "You will get no more offers at this address.",
                    button="Unsubscribe",
                )
            case "POST":
                # What the body says does not matter: nothing else can be meant by posting here.
                await read_promptly(receive, headers, limit=MAX_FORM_BYTES)
                await email.unsubscribe(token, request_id=request_id, at=now())
                return page_for(
                    request,
                    "You are unsubscribed",
                    "This sender writes you no more offers by e-mail.",
                )
    except NotFound:
        return page_for(
            request,
            "Link not found",
            "This link is not whole. Open it from the e-mail once more.",
            status=404,
        )
    except Exception as error:
        if not is_outage(error):
            raise
        tell_outage("database_away", error, operation="Unsubscribe")
        response = page_for(
            request, "Try again in a moment", "You could not be unsubscribed right now.", status=503
        )
        response.headers["Retry-After"] = "1"
        return response
    raise MethodNotAllowed
