"""The schema: what can be asked, each by the read that REST answers with."""

from typing import Any, cast

import strawberry
from graphql import GraphQLError
from strawberry.extensions import MaxTokensLimiter, ParserCache, ValidationCache
from strawberry.schema.config import StrawberryConfig
from strawberry.types import ExecutionContext, Info

from core import contacts
from core.foundation.caller import Caller
from core.foundation.errors import FieldError, NotFound, ValidationFailed
from core.foundation.inputs import read_query
from graphql_api.limits import TOKENS, DocumentLimits, page_size
from graphql_api.types import Contact, ContactConnection, DateTime, Me, value_of


@strawberry.input
class ContactFilter:
    q: str | None = None
    tag: str | None = None
    opt_in_status: str | None = None
    source: str | None = None
    external_id: str | None = None
    list_id: strawberry.ID | None = None


@strawberry.type
class Query:
    @strawberry.field
    def me(self, info: Info) -> Me | None:
        caller = _caller(info)
        organization = {"id": caller.organization_id}
        return cast("Me", {"organization": organization, "env": caller.env, "scopes": sorted(caller.scopes)})

    @strawberry.field
    async def contact(self, info: Info, id: strawberry.ID) -> Contact | None:
        try:
            return cast("Contact", await contacts.get_contact(_caller(info), id))
        except NotFound:
            return None

    @strawberry.field
    async def contacts(
        self, info: Info, first: int, after: str | None = None, filter: ContactFilter | None = None
    ) -> ContactConnection | None:
        asked = {"limit": str(page_size(first)), "cursor": after}
        if filter is not None:
            asked |= {
                "q": filter.q,
                "tag": filter.tag,
                "optInStatus": filter.opt_in_status,
                "source": filter.source,
                "externalId": filter.external_id,
                "listId": filter.list_id,
            }
        # A NUL cannot be stored, so a text that holds one matches nothing.
        pairs = [(name, value.replace("\x00", "\ufffd")) for name, value in asked.items() if value is not None]
        page = await contacts.list_contacts(_caller(info), read_query(contacts.ContactFilter, pairs))
        return cast("ContactConnection", _connection(page))


def _connection(page: dict[str, Any]) -> dict[str, Any]:
    warnings = page.get("warnings", [])
    if "cursor_invalido" in warnings:
        wrong = FieldError("parameter", "after", "wrong_format", "The cursor is not one that this list gave")
        raise ValidationFailed(errors=[wrong])
    end = page.get("nextCursor")
    return {
        "nodes": page["items"],
        "pageInfo": {"hasNextPage": end is not None, "endCursor": end},
        "totalCount": page["total"],
        "warnings": warnings,
    }


def _caller(info: Info) -> Caller:
    caller: Caller = info.context["caller"]
    return caller


class _Schema(strawberry.Schema):
    def process_errors(self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None) -> None:
        """Nothing here: `errors.as_wire` logs what was not foreseen, and never a caller's mistake."""


schema = _Schema(
    query=Query,
    config=StrawberryConfig(
        default_resolver=value_of,
        scalar_map={DateTime: strawberry.scalar(name="DateTime", serialize=str, parse_value=str)},
    ),
    extensions=[DocumentLimits, lambda: MaxTokensLimiter(max_token_count=TOKENS), ParserCache, ValidationCache],
)
