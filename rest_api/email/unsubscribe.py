"""Where a recipient unsubscribes: GET shows a page with a button and changes nothing, POST does it
(RFC 8058).
"""

from starlette.requests import Request
from starlette.responses import Response

from core import email
from core.foundation.clock import now
from core.foundation.database.availability import is_outage
from core.foundation.errors import NotFound
from core.foundation.observability.outage_log import tell_outage
from rest_api.support.consumer_pages import page_for
from rest_api.support.prompt import read_promptly
from rest_api.support.requests import Headers

MAX_FORM_BYTES = 10_000


async def unsubscribe(request: Request) -> Response:
    """The page with the button, or what became of it."""
    token = request.path_params["token"]
    try:
        if request.method == "POST":
            # What the body says does not matter: nothing else can be meant by posting here.
            headers = Headers(request.scope["headers"])
            await read_promptly(request.receive, headers, limit=MAX_FORM_BYTES)
            await email.unsubscribe(token, request_id=request.state.request_id, at=now())
            return page_for(
                request,
                "You are unsubscribed",
                "This sender writes you no more offers by e-mail.",
            )
        await email.find_unsubscribe_ticket(token)
        return page_for(
            request,
            "Unsubscribe?",
            "You will get no more offers at this address.",
            button="Unsubscribe",
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
