"""Batches over REST: statuses, keys, masks."""

import httpx

from core.foundation.clock import now
from core.foundation.security.caller import DEFAULT_KEY_SCOPES, Scope
from tests.contract.world import bearer
from tests.factories.batches import ANA, Desk, a_desk, a_failed_batch
from tests.factories.organizations import a_caller, a_key
from tests.factories.stored_messages import stored_message


async def a_desk_with_key(*more: Scope) -> tuple[Desk, dict[str, str]]:
    caller = await a_caller()
    key = await a_key(
        "test", scopes=DEFAULT_KEY_SCOPES | set(more), organization_id=caller.organization_id
    )
    return await a_desk(caller), bearer(key)


async def bulk(
    rest: httpx.AsyncClient, desk: Desk, headers: dict[str, str], *recipients: str
) -> httpx.Response:
    body = {
        "numberId": desk.number_id,
        "templateId": desk.template_id,
        "recipients": [{"to": one, "templateVars": ["Ana"]} for one in recipients],
    }
    return await rest.post("/messages/bulk", json=body, headers=headers)


async def test_a_bulk_is_accepted_read_and_canceled(rest: httpx.AsyncClient) -> None:
    desk, headers = await a_desk_with_key()
    taken = await bulk(rest, desk, headers, ANA, "nobody")
    assert taken.status_code == 202
    id = taken.json()["batchId"]
    assert taken.json()["recusadas"] == [{"indice": 1, "codigo": "invalid_phone"}]
    assert (await rest.get(f"/batches/{id}", headers=headers)).json()["porStatus"]["queued"] == 1
    canceled = await rest.post(f"/batches/{id}/cancel", headers=headers)
    assert (canceled.status_code, canceled.json()["porStatus"]["failed"]) == (200, 1)
    (message,) = (await rest.get("/messages", params={"batchId": id}, headers=headers)).json()[
        "items"
    ]
    assert (message["batchId"], message["lastError"], message["status"]) == (
        id,
        "cancelada",
        "failed",
    )


async def test_failed_messages_are_sent_again_and_name_each_other(rest: httpx.AsyncClient) -> None:
    desk, headers = await a_desk_with_key()
    (old,) = await a_failed_batch(desk, ANA)
    simulated = await rest.post(
        "/messages/bulk-resend", json={"messageIds": [old], "simular": True}, headers=headers
    )
    assert (simulated.status_code, simulated.json()["batchId"]) == (202, None)
    answer = await rest.post("/messages/bulk-resend", json={"messageIds": [old]}, headers=headers)
    assert (answer.status_code, answer.json()["reenviadas"]) == (202, 1)
    (new,) = (
        await rest.get("/messages", params={"batchId": answer.json()["batchId"]}, headers=headers)
    ).json()["items"]
    assert (new["reprocessed"], new["originalError"]) == (
        True,
        "The platform takes no more for now.",
    )
    assert (await rest.get(f"/messages/{old}", headers=headers)).json()["replacedBy"] == new["id"]


async def test_an_archived_message_is_masked_without_pii_full(rest: httpx.AsyncClient) -> None:
    desk, headers = await a_desk_with_key()
    id = await stored_message(
        desk.caller, now(), channel="whatsapp", recipient=ANA, type="text", content={"text": "Oi"}
    )
    archived = (await rest.post(f"/messages/{id}/archive", headers=headers)).json()
    assert (archived["status"], archived["to"]) == ("archived", "+5511*****0101")
