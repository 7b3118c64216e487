"""A static list as the interface spells it, and what is answered about its members."""

from typing import Annotated, NotRequired, TypedDict

from core.foundation.records import Doc, Id, Instant, Page, Record, named


@named(rest="StaticList", graphql="ContactList")
class ListRecord(TypedDict):
    """A list of contacts that somebody put there."""

    id: Annotated[Id, Doc("Names the list")]
    name: Annotated[str, Doc("What it is called; no two lists have the same name")]
    description: NotRequired[Annotated[str, Doc("What it is for")]]
    size: Annotated[int, Doc("How many contacts are on it")]
    createdAt: Annotated[Instant, Doc("When it was created")]
    updatedAt: Annotated[
        Instant, Doc("When its name, its description or who is on it last became different")
    ]


LIST = Record(ListRecord)


@named(rest="StaticListPage")
class ListPage(Page[ListRecord]):
    """A page of lists, newest first."""


@named(rest="NotFoundSample", graphql="UnknownMembers")
class UnknownMembers(TypedDict):
    """Up to 100 identifiers of each kind that belong to no contact."""

    externalIds: Annotated[list[str], Doc("Ids of your own system that no contact has")]
    contactIds: Annotated[list[str], Doc("Ids that no contact has")]
    phones: Annotated[list[str], Doc("Phones of nobody, as they were sent")]


class MembersMoved(TypedDict):
    """What became of the members of a list."""

    listId: Annotated[Id, Doc("The list")]
    matched: Annotated[int, Doc("How many contacts were named")]
    added: Annotated[int, Doc("How many are newly on it")]
    removed: Annotated[int, Doc("How many are no longer on it")]
    total: Annotated[int, Doc("How many contacts are on the list now")]
    notFoundCount: Annotated[int, Doc("How many of those that were named are no contacts")]
    notFound: Annotated[UnknownMembers, Doc("Which ones these are")]
