"""`GET /blobs/{key}`: what S3 does for its own signed addresses, done here for the folder."""

import time

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from core.foundation.errors import NotFound
from core.foundation.files import ROUTE, FolderStore, Served, blob_store
from rest_api.support.pages import PageEndpoint

SAFE = {
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "private, no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
}

# Whatever a file holds, in a browser it is alone: no script, no request, no frame around it.
SAVED = "default-src 'none'; sandbox; frame-ancestors 'none'"
# A browser shows a file in a page that it makes up, with a style in it and the file as its picture,
# film or plug-in: these it must be allowed to load. In a sandbox it would refuse to show a PDF.
IN_PLACE = (
    "default-src 'none'; img-src 'self'; media-src 'self'; object-src 'self'; style-src "
    "'unsafe-inline'; "
    "frame-ancestors 'none'"
)


def headers_of(served: Served) -> dict[str, str]:
    """The headers that a file is answered with, except those that its bytes decide."""
    policy = IN_PLACE if served.in_place else SAVED
    return {
        **SAFE,
        "Content-Security-Policy": policy,
        "Content-Type": served.content_type,
        "Content-Disposition": served.disposition,
    }


async def serve_blob(request: Request) -> Response:
    """The bytes, whole or the range asked for; a wrong or late signature is answered as if there
    were nothing.
    """
    store = blob_store()
    found = None
    if isinstance(store, FolderStore):
        found = store.path_of(
            request.path_params["key"], dict(request.query_params), at=time.time()
        )
    if found is None or not found[0].is_file():
        raise NotFound("The address is wrong or its time is over; ask for the list of files again.")
    path, served = found
    return FileResponse(path, headers=headers_of(served))


routes = [Route(f"{ROUTE}/{{key:path}}", PageEndpoint(serve_blob))]
