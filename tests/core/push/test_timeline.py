"""Notifications in the timeline of a contact."""

from core.foundation.security.caller import Caller, Scope
from tests.factories.contacts import a_contact
from tests.factories.organizations import a_caller
from tests.factories.push import a_device, a_dispatch, drained, opt_out
from tests.support.graphql import ask

TIMELINE = """{ contact(id: "%s") { timeline(first: 10) { nodes {
  kind at ... on PushEntry { pushMessageId deviceId platform deliveryStatus titulo openedAt } } } } }"""


async def told(caller: Caller, contact_id: str) -> list[dict[str, object]]:
    content = await ask(caller, TIMELINE % contact_id)
    assert "errors" not in content
    nodes: list[dict[str, object]] = content["data"]["contact"]["timeline"]["nodes"]
    return [node for node in nodes if node["kind"] == "PUSH"]


async def test_a_contact_is_shown_what_its_devices_got_and_nothing_that_was_dropped(
    clean_slate: None,
) -> None:
    caller = await a_caller()
    contact = await a_contact(caller, externalId="c-1")
    device = await a_device(caller, "t1", externalId="c-1")
    await a_device(caller, "of somebody else")
    sent = await a_dispatch(caller)
    await drained(caller, sent["id"])
    dropped = await a_dispatch(caller)
    await opt_out(caller, "t1")
    await drained(caller, dropped["id"])

    assert await told(caller, contact["id"]) == [
        {
            "kind": "PUSH",
            "at": sent["createdAt"],
            "pushMessageId": sent["id"],
            "deviceId": device["id"],
            "platform": "ANDROID",
            "deliveryStatus": "DELIVERED",
            "titulo": "Oi",
            "openedAt": None,
        }
    ]
    reader = await a_caller(
        organization_id=caller.organization_id, scopes=frozenset({Scope.CONTACTS_READ})
    )
    assert await told(reader, contact["id"]) == []
