"""Where a recipient's browser lands: sent on at once, or told in one plain page that there is
nothing.
"""

from starlette.requests import Request
from starlette.responses import Response

from core import short_links
from core.foundation.clock import now
from core.foundation.database.availability import is_outage
from core.foundation.errors import NotFound
from core.foundation.observability.outage_log import tell_outage
from rest_api.support.consumer_pages import HEADERS, page_for

PURPOSES = ("sec-purpose", "purpose", "x-purpose", "x-moz")
"""What browsers send, by age, with a page that they load before anybody opened it."""


async def follow_link(request: Request) -> Response:
    """302 to the address behind the code."""
    headers = request.headers
    try:
        address = await short_links.follow_link(
            request.path_params["code"],
            user_agent=headers.get("user-agent", ""),
            method=request.method,
            at=now(),
            purpose=next((headers[name] for name in PURPOSES if name in headers), ""),
        )
    except NotFound:
        return page_for(
            request,
            "Link not found",
            "This short link does not exist. Check that you copied the whole address.",
            status=404,
        )
    except Exception as error:
        if not is_outage(error):
            raise
        tell_outage("database_away", error, operation="Follow a short link")
        response = page_for(
            request, "Try again in a moment", "This link cannot be opened right now.", status=503
        )
        response.headers["Retry-After"] = "1"
        return response
    return Response(status_code=302, headers={**HEADERS, "Location": address})
