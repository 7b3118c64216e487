"""Where a recipient's browser lands: sent on at once, or told in one plain page that there is nothing."""

import structlog
from starlette.requests import Request
from starlette.responses import Response

from core import short_links
from core.foundation.clock import now
from core.foundation.errors import NotFound
from core.foundation.outages import is_outage

log = structlog.get_logger()

PURPOSES = ("sec-purpose", "purpose", "x-purpose", "x-moz")
"""What browsers send, by age, with a page that they load before anybody opened it."""

HEADERS = {
    "Cache-Control": "no-store",  # each click is counted here
    "Referrer-Policy": "no-referrer",  # the code is the recipient's, not the destination's
    "X-Robots-Tag": "noindex, nofollow",
    "X-Content-Type-Options": "nosniff",
}
PAGE_HEADERS = {
    **HEADERS,
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
}
# Nothing of the request is repeated in a page, so there is nothing to escape.
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font: 1.1rem/1.5 sans-serif; max-width: 30rem; margin: 20vh auto 0; padding: 1rem }}
</style>
<h1>{title}</h1>
<p>{advice}</p>
</html>
"""
UNKNOWN = PAGE.format(
    title="Link not found", advice="This short link does not exist. Check that you copied the whole address."
)
AWAY = PAGE.format(title="Try again in a moment", advice="This link cannot be opened right now.")


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
        return Response(UNKNOWN, 404, PAGE_HEADERS, media_type="text/html")
    except Exception as error:
        if not is_outage(error):
            raise
        log.warning("database_away", operation="Follow a short link", error=type(error).__name__)
        return Response(AWAY, 503, {**PAGE_HEADERS, "Retry-After": "1"}, media_type="text/html")
    return Response(status_code=302, headers={**HEADERS, "Location": address})
