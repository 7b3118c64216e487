"""Reading connections of the root from one end to the other, and from both sides of a tenant's
border.
"""

from core.foundation.security.caller import Caller
from tests.factories.organizations import a_caller
from tests.support.graphql import data_of

PAGE = """query($first: Int, $last: Int, $after: String, $before: String) {{
  page: {name}(first: $first, last: $last, after: $after, before: $before) {{
    edges {{ cursor node {{ id }} }} pageInfo {{ hasNextPage hasPreviousPage }} totalCount }} }}"""


async def walked(caller: Caller, name: str, *, size: int = 2, backward: bool = False) -> list[str]:
    """The ids of all records of a connection, page by page; the total and the ends must agree with
    them.
    """
    found: list[str] = []
    more = True
    place: dict[str, str] = {}
    total = None
    while more:
        page = (
            await data_of(
                caller, PAGE.format(name=name), **{"last" if backward else "first": size}, **place
            )
        )["page"]
        edges = page["edges"]
        assert total in (None, page["totalCount"])
        total = page["totalCount"]
        ids = [edge["node"]["id"] for edge in edges]
        found = [*ids, *found] if backward else [*found, *ids]
        more = page["pageInfo"]["hasPreviousPage" if backward else "hasNextPage"]
        if more:
            assert len(edges) == size
            place = {"before": edges[0]["cursor"]} if backward else {"after": edges[-1]["cursor"]}
    assert len(found) == total
    return found


async def other_sides(caller: Caller) -> list[Caller]:
    """Another organization, and the other environment of the caller's own."""
    return [await a_caller("test"), await a_caller("live", organization_id=caller.organization_id)]
