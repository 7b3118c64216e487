"""Addresses that nothing is sent to: seen by who reads e-mail, sent to again by who sends it."""

from typing import Any

import pytest

from core import email, privacy
from core.email.suppression import NewSuppression, suppress
from core.foundation.clock import now
from core.foundation.errors import Forbidden, NotFound
from core.foundation.security.caller import Caller, Scope
from tests.factories.emails import an_email
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import stored_contact
from tests.support.graphql import bare, data_of, refused
from tests.support.told import audited

pytestmark = pytest.mark.usefixtures("clean_slate")

ANA = "Ana@example.org"


async def a_bounce(caller: Caller, address: str = ANA, reason: str = "invalid_address") -> str:
    """An e-mail that told that its address does not work; answers its id."""
    sent = await an_email(caller, to=address)
    owner = (caller.organization_id, caller.env)
    await suppress([NewSuppression(*owner, address, reason, sent["id"])], at=now())
    return str(sent["id"])


async def listed(caller: Caller, **query: Any) -> list[dict[str, Any]]:
    page = await email.list_suppressions(caller, email.SuppressionFilter.model_validate(query))
    assert page["total"] == len(page["items"])
    items: list[dict[str, Any]] = page["items"]
    return items


async def lift(caller: Caller, to: str = ANA) -> None:
    await email.lift_suppression(caller, email.SuppressedAddress(to=to))


async def test_they_are_listed_with_why_and_by_which_message() -> None:
    caller = await a_caller()
    ana = await a_bounce(caller)
    bia = await a_bounce(caller, "bia@example.org", "complaint")
    newest, oldest = await listed(caller)
    assert (newest["to"], newest["reason"], newest["messageId"]) == (
        "bia@example.org",
        "complaint",
        bia,
    )
    assert (oldest["to"], oldest["reason"], oldest["messageId"]) == (ANA, "invalid_address", ana)
    assert await listed(caller, to="ANA@EXAMPLE.ORG") == [oldest]
    assert await listed(caller, to="caio@example.org") == []


async def test_addresses_are_masked_for_who_may_not_see_them() -> None:
    caller = await a_caller()
    await a_bounce(caller)
    assert [one["to"] for one in await listed(bare(caller, Scope.EMAIL_READ))] == [
        "A***@example.org"
    ]


async def test_pages_follow_each_other() -> None:
    caller = await a_caller()
    for n in range(3):
        await a_bounce(caller, f"ana{n}@example.org")
    first = await email.list_suppressions(caller, email.SuppressionFilter(limit=2))
    query = email.SuppressionFilter(limit=2, cursor=first["nextCursor"])
    rest = await email.list_suppressions(caller, query)
    seen = [one["to"] for page in (first, rest) for one in page["items"]]
    assert seen == [f"ana{n}@example.org" for n in (2, 1, 0)]
    assert first["total"] == rest["total"] == 3


async def test_a_lifted_address_is_sent_to_again() -> None:
    caller = await a_caller()
    await a_bounce(caller)
    assert (await an_email(caller, to=ANA))["status"] == "failed"
    await lift(caller, "ana@EXAMPLE.org")
    assert await listed(caller) == []
    assert (await an_email(caller, to=ANA))["status"] == "queued"
    (entry,) = await audited(caller.organization_id, "email.suppression_lifted")
    assert entry["facts"]["reason"] == "invalid_address"
    assert "example.org" not in str(entry)
    with pytest.raises(NotFound):
        await lift(caller)


async def test_another_organization_or_environment_sees_and_lifts_nothing() -> None:
    caller = await a_caller()
    await a_bounce(caller)
    for stranger in (
        await a_caller(),
        await a_caller("live", organization_id=caller.organization_id),
    ):
        assert await listed(stranger) == []
        with pytest.raises(NotFound):
            await lift(stranger)
    assert len(await listed(caller)) == 1


async def test_it_stays_when_its_contact_is_erased_and_says_no_longer_whose_it_is() -> None:
    caller = await a_caller()
    contact = await stored_contact(caller, email=ANA)
    await a_bounce(caller)
    await privacy.erase_contact(caller, contact)
    (left,) = await listed(caller)
    assert "to" not in left
    (shown,) = (await data_of(caller, "{ emailSuppressions(first: 5) { nodes { to reason } } }"))[
        "emailSuppressions"
    ]["nodes"]
    assert shown == {"to": None, "reason": "invalid_address"}
    assert await listed(caller, to=ANA) == [left]


async def test_graphql_lists_and_lifts_them() -> None:
    caller = await a_caller()
    for n in range(3):
        await a_bounce(caller, f"ana{n}@example.org")
    query = "query($after: String) { emailSuppressions(first: 2, after: $after) { nodes { id to reason messageId createdAt } pageInfo { endCursor } totalCount } }"  # noqa: E501
    first = (await data_of(caller, query))["emailSuppressions"]
    rest = (await data_of(caller, query, after=first["pageInfo"]["endCursor"]))["emailSuppressions"]
    assert [*first["nodes"], *rest["nodes"]] == await listed(caller)
    assert first["totalCount"] == 3
    found = await data_of(
        caller, '{ emailSuppressions(first: 2, filter: {to: "ANA1@example.org"}) { nodes { to } } }'
    )
    assert found["emailSuppressions"]["nodes"] == [{"to": "ana1@example.org"}]
    change = 'mutation { deleteEmailSuppression(input: {to: "ana1@example.org"}) { id } }'
    gone = (await data_of(caller, change))["deleteEmailSuppression"]["id"]
    assert gone in {one["id"] for one in [*first["nodes"], *rest["nodes"]]}
    assert (await refused(caller, change))["extensions"]["code"] == "NOT_FOUND"


async def test_they_need_their_scopes() -> None:
    caller = await a_caller()
    await a_bounce(caller)
    with pytest.raises(Forbidden):
        await listed(bare(caller, Scope.EMAIL_SEND))
    with pytest.raises(Forbidden):
        await lift(bare(caller, Scope.EMAIL_READ))
