"""The list shapes of the interface."""

from rest_api.support.shapes import Listed, Out, Timestamp


class StaticList(Out):
    """A list and how many contacts are on it."""

    id: str
    name: str
    description: str | None = None
    size: int
    created_at: Timestamp
    updated_at: Timestamp


class StaticListPage(Listed):
    """A page of lists, newest first."""

    items: list[StaticList]
    total: int
    next_cursor: str | None = None


class NotFoundSample(Out):
    """Up to 100 identifiers of each kind that belong to no contact."""

    external_ids: list[str]
    contact_ids: list[str]
    phones: list[str]


class MembersMoved(Out):
    """What became of the members: `matched` contacts were named, `total` are on the list now."""

    list_id: str
    matched: int
    added: int
    removed: int
    total: int
    not_found_count: int
    not_found: NotFoundSample
