"""The image of one pixel that tells that an e-mail was opened."""

import base64

from starlette.requests import Request
from starlette.responses import Response

from core import email
from core.foundation.clock import now
from core.foundation.database.availability import is_outage
from core.foundation.observability.outage_log import tell_outage
from rest_api.short_links.redirect import PURPOSES

PIXEL = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
HEADERS = {
    "Cache-Control": "no-store",  # each opening is told here
    "X-Robots-Tag": "noindex, nofollow",
    "X-Content-Type-Options": "nosniff",
}


async def show_pixel(request: Request) -> Response:
    """The same image whatever the token is worth: an e-mail must not look broken."""
    headers = request.headers
    try:
        await email.note_opening(
            request.path_params["token"],
            user_agent=headers.get("user-agent", ""),
            method=request.method,
            purpose=next((headers[name] for name in PURPOSES if name in headers), ""),
            at=now(),
        )
    except Exception as error:
        if not is_outage(error):
            raise
        tell_outage("database_away", error, operation="Open an e-mail")
    return Response(PIXEL, headers=HEADERS, media_type="image/gif")
