"""Where a recipient unsubscribes: GET shows a page with a button and changes nothing, POST does it (RFC 8058)."""

import structlog
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from core import email
from core.foundation.clock import now
from core.foundation.errors import Internal, MethodNotAllowed, NotFound, ServiceError
from core.foundation.outages import is_outage
from rest_api.support.methods import allow_of, send_options, without_body
from rest_api.support.problems import send_problem
from rest_api.support.prompt import read_promptly
from rest_api.support.requests import Headers, request_id_of

log = structlog.get_logger()

ALLOW = allow_of(["GET", "POST"])
LARGEST_FORM = 10_000

HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",  # the token is the recipient's
    "X-Robots-Tag": "noindex, nofollow",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
}
# Nothing of the request is repeated in a page, so there is nothing to escape. The form posts to where it is.
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font: 1.1rem/1.5 sans-serif; max-width: 30rem; margin: 20vh auto 0; padding: 1rem }}
button {{ font: inherit; padding: .6rem 1.2rem }}
</style>
<h1>{title}</h1>
<p>{told}</p>
{rest}</html>
"""
BUTTON = '<form method="post"><button name="List-Unsubscribe" value="One-Click">Unsubscribe</button></form>\n'
ASK = PAGE.format(title="Unsubscribe?", told="You will get no more offers at this address.", rest=BUTTON)
DONE = PAGE.format(title="You are unsubscribed", told="This sender writes you no more offers by e-mail.", rest="")
UNKNOWN = PAGE.format(
    title="Link not found", told="This link is not whole. Open it from the e-mail once more.", rest=""
)
AWAY = PAGE.format(title="Try again in a moment", told="You could not be unsubscribed right now.", rest="")


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
            await send_problem(send, error, path=scope["path"], request_id=request_id, allow=ALLOW)
        except Exception:
            log.exception("unexpected", route=scope["route"].path)  # never the path: its last part is a secret
            await send_problem(send, Internal(), path=scope["path"], request_id=request_id)
        else:
            response.headers["X-Request-Id"] = request_id
            await response(scope, receive, send)


async def _answer(request: Request, receive: Receive, headers: Headers, request_id: str) -> Response:
    token = request.path_params["token"]
    try:
        match request.method:
            case "GET" | "HEAD":
                await email.find_letter(token)
                return _page(ASK)
            case "POST":
                # What the body says does not matter: nothing else can be meant by posting here.
                await read_promptly(receive, headers, limit=LARGEST_FORM)
                await email.unsubscribe(token, request_id=request_id, at=now())
                return _page(DONE)
    except NotFound:
        return _page(UNKNOWN, 404)
    except Exception as error:
        if not is_outage(error):
            raise
        log.warning("database_away", operation="Unsubscribe", error=type(error).__name__)
        response = _page(AWAY, 503)
        response.headers["Retry-After"] = "1"
        return response
    raise MethodNotAllowed


def _page(page: str, status: int = 200) -> Response:
    return Response(page, status, HEADERS, media_type="text/html")
