"""E-mail over REST: parsing, statuses, masks, and the addresses that recipients open."""

import base64
import email as standard
from typing import Any

import httpx

from core import email
from core.email.outgoing import unseal
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.security.caller import DEFAULT_KEY_SCOPES, Scope
from tests.contract.world import bearer
from tests.factories.organizations import a_caller, a_key

BODY = {
    "to": "ana@example.org",
    "from": "Loja <loja@example.com>",
    "subject": "Oi",
    "text": "Olá",
    "html": "<p>Olá</p>",
}
PERSON = {"User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)"}


async def a_test_key(*more: Scope) -> tuple[dict[str, str], str]:
    caller = await a_caller()
    key = await a_key(
        "test", scopes=DEFAULT_KEY_SCOPES | set(more), organization_id=caller.organization_id
    )
    return bearer(key), caller.organization_id


async def send(
    rest: httpx.AsyncClient, credential: dict[str, str], key: str = "k", **changes: Any
) -> httpx.Response:
    body = {name: value for name, value in {**BODY, **changes}.items() if value is not ...}
    return await rest.post(
        "/v2/email/messages", json=body, headers={**credential, "Idempotency-Key": key}
    )


async def outgoing_of(id: str) -> standard.message.Message:
    raw = unseal(
        id, await db.fetchval("SELECT letter FROM email_letters WHERE message_id = $1", id)
    )
    return standard.message_from_bytes(raw)


async def test_a_letter_is_accepted_masked_and_never_shows_its_body(
    rest: httpx.AsyncClient,
) -> None:
    headers, organization_id = await a_test_key()
    answer = await send(rest, headers, metadata={"pedido": "A-1"})
    sent = answer.json()
    assert answer.status_code == 201
    assert (sent["to"], sent["from"], sent["status"], sent["replayed"]) == (
        "a***@example.org",
        "Loja <loja@example.com>",
        "queued",
        False,
    )
    assert (sent["bodyBytes"], sent["billing"]) == (4 + 11, {"coins": 10})
    page = (await rest.get("/v2/email/messages", headers=headers)).json()
    one = (await rest.get(f"/v2/email/messages/{sent['id']}", headers=headers)).json()
    assert page == {"items": [one], "total": 1}
    assert "Olá" not in str(page)
    assert one["organizationId"] == organization_id


async def test_a_list_is_narrowed_and_paged(rest: httpx.AsyncClient) -> None:
    headers, _ = await a_test_key(Scope.PII_FULL)
    for n in range(3):
        await send(rest, headers, key=f"k{n}", to=f"ana{n}@example.org", campaignId=f"c{n}")
    read = "/v2/email/messages"
    first = (await rest.get(read, params={"limit": "2"}, headers=headers)).json()
    rest_of_it = (
        await rest.get(read, params={"cursor": first["nextCursor"]}, headers=headers)
    ).json()
    skipped = (await rest.get(read, params={"skip": "2"}, headers=headers)).json()
    assert [one["to"] for one in first["items"]] == ["ana2@example.org", "ana1@example.org"]
    assert (
        [one["to"] for one in rest_of_it["items"]]
        == ["ana0@example.org"]
        == [one["to"] for one in skipped["items"]]
    )
    assert {first["total"], rest_of_it["total"], skipped["total"]} == {3}
    for query in ({"to": "ana1@EXAMPLE.org"}, {"to": "ANA1@example.org"}, {"campaignId": "c1"}):
        page = (await rest.get(read, params=query, headers=headers)).json()
        assert ([one["to"] for one in page["items"]], page["total"]) == (["ana1@example.org"], 1)
    assert (await rest.get(read, params={"status": "sent"}, headers=headers)).json()["total"] == 0


async def test_ten_mebibytes_of_files_are_taken_and_one_more_byte_is_not(
    rest: httpx.AsyncClient,
) -> None:
    headers, _ = await a_test_key()
    size = 10 * 1024 * 1024

    def files(*sizes: int) -> list[dict[str, str]]:
        return [
            {
                "nome": "a.bin",
                "tipo": "application/octet-stream",
                "conteudo": base64.b64encode(bytes(one)).decode(),
            }
            for one in sizes
        ]

    answer = await send(rest, headers, anexos=files(size // 2, size // 2))
    assert answer.status_code == 201
    outgoing = await outgoing_of(answer.json()["id"])
    assert [
        len(part.get_payload(decode=True)) for part in outgoing.walk() if part.get_filename()
    ] == [size // 2] * 2
    refused = await send(rest, headers, key="l", anexos=files(size, 1))
    assert [(error["pointer"], error["code"]) for error in refused.json()["errors"]] == [
        ("/anexos", "too_large")
    ]


# What recipients open -----------------------------------------------------------------------------


async def a_marketing_letter(rest: httpx.AsyncClient, headers: dict[str, str]) -> tuple[str, str]:
    sent = (await send(rest, headers, key="m", categoria="marketing")).json()
    outgoing = await outgoing_of(sent["id"])
    assert outgoing["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    return sent["id"], outgoing["List-Unsubscribe"].strip("<>").removeprefix("http://svc.test")


async def test_get_asks_and_post_unsubscribes(rest: httpx.AsyncClient) -> None:
    headers, organization_id = await a_test_key()
    _, address = await a_marketing_letter(rest, headers)
    count = "SELECT count(*) FROM contact_denials WHERE organization_id = $1 AND channel = 'email'"

    asked = await rest.get(address)
    assert (asked.status_code, "<button" in asked.text) == (200, True)
    assert (await rest.head(address)).status_code == 200
    assert await db.fetchval(count, organization_id) == 0

    for _ in range(2):
        done = await rest.post(address, data={"List-Unsubscribe": "One-Click"})
        assert (done.status_code, "Descadastro concluído" in done.text) == (200, True)
    assert await db.fetchval(count, organization_id) == 1
    refused = await send(rest, headers, key="n", categoria="marketing")
    assert (refused.status_code, refused.json()["meta"]["motivo"]) == (422, "opt_out")
    assert (await send(rest, headers, key="o")).status_code == 201


async def test_a_token_that_is_not_ours_unsubscribes_nobody(rest: httpx.AsyncClient) -> None:
    headers, organization_id = await a_test_key()
    _, address = await a_marketing_letter(rest, headers)
    bent = address[:-6] + ("AAAAAA" if address[-6:] != "AAAAAA" else "BBBBBB")
    for wrong in ("/u/x", "/u/" + "A" * 92, bent, address.replace("/u/", "/u/é")):
        assert (await rest.get(wrong)).status_code == 404
        assert (await rest.post(wrong)).status_code == 404
    refused = await rest.put(address)
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD, OPTIONS, POST")
    assert (
        await db.fetchval(
            "SELECT count(*) FROM contact_denials WHERE organization_id = $1", organization_id
        )
        == 0
    )


async def test_the_pixel_tells_of_people_and_of_machines(rest: httpx.AsyncClient) -> None:
    headers, organization_id = await a_test_key()
    sent = (await send(rest, headers, trackOpens=True)).json()
    outgoing = await outgoing_of(sent["id"])
    html = next(
        part for part in outgoing.walk() if part.get_content_type() == "text/html"
    ).get_payload(decode=True)
    assert isinstance(html, bytes)
    address = html.decode().partition("http://svc.test")[2].partition('"')[0]
    google = {
        "User-Agent": "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)"
    }
    for agent in (PERSON, {"User-Agent": "curl/8"}, google):
        answer = await rest.get(address, headers=agent)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "image/gif")
        assert answer.headers["cache-control"] == "no-store"
    assert (await rest.get("/o/nothing")).status_code == 200
    rows = await db.fetch(
        "SELECT data FROM webhook_events WHERE organization_id = $1 AND type = 'email.opened' ORDER BY created_at, id",
        organization_id,
    )
    assert sorted(row["data"]["bot"] for row in rows) == [False, False, True]
    assert {row["data"]["id"] for row in rows} == {sent["id"]}


async def test_a_tracked_link_leads_where_it_said_and_tells_of_the_click(
    rest: httpx.AsyncClient,
) -> None:
    headers, organization_id = await a_test_key(Scope.PII_FULL)
    url = "https://example.com/pedido?a=1&b=2"
    sent = (
        await send(
            rest,
            headers,
            trackLinks=True,
            text=f"Veja {url}.",
            html='<a class="x" href="https://example.com/pedido?a=1&amp;b=2">V</a>',
        )
    ).json()
    links = (await rest.get("/v2/links", params={"messageId": sent["id"]}, headers=headers)).json()[
        "items"
    ]
    assert [link["url"] for link in links] == [url]
    path = links[0]["shortUrl"].removeprefix("http://svc.test")
    outgoing = (await outgoing_of(sent["id"])).as_string()
    assert outgoing.count(path) == 2
    answer = await rest.get(path, headers=PERSON)
    assert (answer.status_code, answer.headers["location"]) == (302, url)
    data = await db.fetchval(
        "SELECT data FROM webhook_events WHERE organization_id = $1 AND type = 'email.clicked'",
        organization_id,
    )
    assert (data["id"], data["to"], data["url"], data["bot"]) == (
        sent["id"],
        "ana@example.org",
        url,
        False,
    )


async def test_the_sandbox_lets_letters_end_as_their_recipient_says(
    rest: httpx.AsyncClient,
) -> None:
    headers, _ = await a_test_key()
    sent = (await send(rest, headers, to="bounce+1@example.org")).json()
    await email.hand_over_due(at=now())
    await db.execute("UPDATE sandbox_reports SET due_at = $1", now())
    await email.apply_due_reports(at=now())
    one = (await rest.get(f"/v2/email/messages/{sent['id']}", headers=headers)).json()
    assert (one["status"], one["reason"]) == ("bounced", "invalid_address")
    again = (await send(rest, headers, key="again", to="bounce+1@example.org")).json()
    assert (again["status"], again["reason"], again["billing"]) == (
        "failed",
        "suppressed",
        {"coins": 0},
    )
