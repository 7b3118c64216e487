"""The list of a message's links, and the address that recipients open."""

from starlette.routing import Route

from core import short_links
from core.foundation.security.caller import Scope
from rest_api.short_links import examples
from rest_api.short_links.redirect import follow_link
from rest_api.support.operations import Operation
from rest_api.support.pages import PageEndpoint
from rest_api.support.requests import Call


async def list_links(call: Call[None, short_links.LinkFilter]) -> short_links.LinkPage:
    return await short_links.list_links(call.caller, call.query.message_id)


operations = [
    Operation(
        "GET",
        "/v2/links",
        list_links,
        Scope.SMS_READ,  # the only channel with links so far; the use case itself asks for the scope of the message's own
        "List the short links of a message and their clicks",
        "Short links",
        description="Short links stand in the text of messages sent with `trackLinks`. Bots are "
        "counted apart.",
        errors=(401, 403, 404, 422),
        query=short_links.LinkFilter,
        answer=short_links.LinkPage,
        answers={"links": examples.LINKS},
    ),
]

routes = [Route("/l/{code:path}", PageEndpoint(follow_link))]
