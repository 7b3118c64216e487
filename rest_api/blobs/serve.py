"""`GET /blobs/{key}`: what S3 does for its own signed addresses, done here for the folder."""

import time

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from core.foundation.blobs import ROUTE, FolderStore, blob_store
from core.foundation.errors import NotFound
from rest_api.support.pages import Page

SAFE = {
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "private, no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
    # Whatever a file holds, in a browser it is alone: no script, no request, no frame around it.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
}


async def serve_blob(request: Request) -> Response:
    """The bytes, whole or the range asked for; a wrong or late signature is answered as if there were nothing."""
    store = blob_store()
    found = None
    if isinstance(store, FolderStore):
        found = store.path_of(request.path_params["key"], dict(request.query_params), at=time.time())
    if found is None or not found[0].is_file():
        raise NotFound("The address is wrong or its time is over; ask for the list of files again.")
    path, served = found
    headers = {**SAFE, "Content-Disposition": served.disposition}
    return FileResponse(path, headers=headers, media_type=served.content_type)


routes = [Route(f"{ROUTE}/{{key:path}}", Page(serve_blob))]
