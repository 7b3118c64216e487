"""`GET /metrics`: what all processes of this port have counted, and how servers and queues are."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core.foundation.errors import Unauthorized
from core.foundation.observability.metrics import MEDIA_TYPE
from core.foundation.settings import current
from core.operations import MetricsPage, may_scrape
from rest_api.support.compression import gzipped, takes_gzip
from rest_api.support.pages import PageEndpoint


class WrongToken(Unauthorized):
    default_detail = "Send the token of SVC_METRICS_TOKEN as Authorization: Bearer <token>."


async def metrics(request: Request) -> Response:
    """The page for Prometheus; no API key opens it, and none is needed."""
    if not may_scrape(request.headers.get("authorization"), token=current().metrics_token):
        raise WrongToken
    page: MetricsPage = request.app.state.metrics_page
    headers = {"Cache-Control": "no-store", "Vary": "Accept-Encoding"}
    content = await page.render()
    if takes_gzip(request.headers.get("accept-encoding")):
        content = await gzipped(content)
        headers["Content-Encoding"] = "gzip"
    return Response(content, media_type=MEDIA_TYPE, headers=headers)


routes = [Route("/metrics", PageEndpoint(metrics))]
