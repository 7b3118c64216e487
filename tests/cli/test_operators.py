"""`svc org|webhooks|messages|suppressions`: what operators look up and set right."""

import json
from typing import Any

import pytest

from tests.support.processes import svc
from tests.support.receiver import Receiver
from tests.support.service import Service
from tests.support.waiting import eventually


async def refusal(service: Service, *words: str) -> str:
    status, out, err = await svc([*words, "--json"], environment=service.environment)
    assert (status, out) == (1, "")
    return err


async def test_an_organization_is_found_renamed_suspended_and_resumed(service: Service) -> None:
    org = (await service.svc("org", "create", "Padaria"))["organizationId"]
    key = (await service.svc("key", "create", "--org", org, "--env", "test"))["key"]
    api = await service.api()

    async def answered() -> int:
        async with service.http.get(
            f"{api.url}/v2/wallet", headers={"Authorization": f"Bearer {key}"}
        ) as answer:
            return answer.status

    listed = (await service.svc("org", "list"))["items"]
    assert (await service.svc("org", "rename", org, "Padaria Nova"))["name"] == "Padaria Nova"
    assert (await service.svc("org", "suspend", org))["status"] == "suspended"
    assert (await service.svc("org", "suspend", org))["status"] == "suspended"
    shown = await service.svc("org", "show", org)
    assert await answered() == 401
    assert (await service.svc("org", "resume", org))["status"] == "active"
    assert await answered() == 200

    assert [(one["organizationId"], one["name"]) for one in listed][-1] == (org, "Padaria")
    assert (shown["name"], shown["status"], shown["accounts"], shown["activeKeys"]) == (
        *("Padaria Nova", "suspended"),
        *(1, 1),
    )
    books = await service.books()
    told = await books.fetch(
        "SELECT action FROM audit_entries WHERE organization_id = $1 ORDER BY at, id", org
    )
    assert [action for (action,) in told if action.startswith("organization.")] == [
        *(
            "organization.opened",
            "organization.renamed",
            "organization.suspended",
            "organization.resumed",
        )
    ]


async def test_a_second_factor_is_demanded_and_no_longer(service: Service) -> None:
    org = (await service.svc("org", "create", "Padaria"))["organizationId"]

    demanded = await service.svc("org", "set", org, "--demand-second-factor")
    shown = await service.svc("org", "show", org)
    lifted = await service.svc("org", "set", org, "--no-demand-second-factor")

    told = [one["demandsSecondFactor"] for one in (demanded, shown, lifted)]
    assert told == [True, True, False]
    books = await service.books()
    audited = await books.fetch(
        "SELECT facts->>'demanded' FROM audit_entries WHERE organization_id = $1 AND action = $2 "
        "ORDER BY at, id",
        *(org, "organization.second_factor_demanded"),
    )
    assert [one for (one,) in audited] == ["true", "false"]


@pytest.mark.parametrize(
    "words",
    [("show",), ("rename", "A name"), ("set", "--demand-second-factor"), ("suspend",), ("resume",)],
    ids=str,
)
async def test_an_organization_that_nobody_has_is_said_so(
    service: Service, words: tuple[str, ...]
) -> None:
    command, *rest = words

    assert "No organization has this id" in await refusal(
        service, "org", command, "org_nobody", *rest
    )


async def test_a_message_and_its_webhook_are_looked_up(
    service: Service, receiver: Receiver
) -> None:
    running = await service.up(workers=0)
    org = service._known.organization_id
    of = ("--org", org, "--env", "test")
    subscription = (await running.customer.subscribe(receiver)).id
    sent = await running.customer.send("0005", idempotency_key="a")
    id = sent.body["id"]

    shell = service.environment
    masked = json.loads(
        (await svc(["messages", "show", id, "--json"], environment=shell, fresh=True))[1]
    )
    whole = await service.svc("messages", "show", id, "--unmasked")
    listed = await service.svc("webhooks", "list", *of)
    shown = await service.svc("webhooks", "show", subscription, *of)
    deliveries = await service.svc("webhooks", "deliveries", subscription, *of)

    assert (masked["organizationId"], masked["env"], masked["channel"], masked["id"]) == (
        org,
        "test",
        "sms",
        id,
    )
    assert whole["to"] == "+5511987650005"
    assert "987650005" not in json.dumps(masked)
    assert [one["id"] for one in listed["items"]] == [subscription] == [shown["id"]]
    assert deliveries["items"] == []
    assert await refusal(service, "messages", "show", "msg_nobody")


async def test_what_was_received_and_a_push_dispatch_are_found_by_their_ids(
    service: Service,
) -> None:
    customer = (await service.up(workers=0)).customer
    sent = (await customer.send("0005", idempotency_key="a")).body["id"]
    reply = await customer.call(
        "POST", "/v2/sandbox/sms/replies", {"inReplyTo": sent, "body": "Obrigado"}
    )
    everybody = {"segment": "all_opt_in", "platforms": ["android"], "title": "Oi", "body": "Chegou"}
    push = await customer.call(
        "POST", "/v2/push/messages", everybody, headers={"Idempotency-Key": "p"}
    )
    assert push.status == 201, push.body

    received = await service.svc("messages", "show", reply.body["id"])
    dispatch = await service.svc("messages", "show", push.body["id"])

    assert (received["channel"], received["inReplyTo"], received["body"]) == (
        "sms",
        sent,
        "Obrigado",
    )
    assert "987650005" not in json.dumps(received)
    assert (dispatch["channel"], dispatch["id"]) == ("push", push.body["id"])
    assert (
        dispatch["organizationId"] == received["organizationId"] == service._known.organization_id
    )


@pytest.mark.parametrize("id", ["msg_nobody", "psh_" + "1" * 21, "org_" + "1" * 21, "\udcff", ""])
async def test_a_message_that_nobody_has_is_said_so(service: Service, id: str) -> None:
    assert "No such record" in await refusal(service, "messages", "show", id)


async def test_pages_are_read_one_behind_the_other_and_a_delivery_with_its_attempts(
    service: Service, receiver: Receiver
) -> None:
    customer = (await service.up()).customer
    of = ("--org", service._known.organization_id, "--env", "test")
    older, newer = [(await customer.subscribe(receiver)).id for _ in range(2)]
    sent = await customer.send("0005", idempotency_key="a")

    async def delivered() -> bool:
        return bool(
            (await service.svc("webhooks", "deliveries", older, *of, "--status", "entregue"))[
                "items"
            ]
        )

    await eventually(delivered, "the report is told")
    first = await service.svc("webhooks", "list", *of, "--limit", "1")
    second = await service.svc(
        "webhooks", "list", *of, "--limit", "1", "--cursor", first["nextCursor"]
    )
    (delivery,) = (await service.svc("webhooks", "deliveries", older, *of))["items"]
    told = await service.svc("webhooks", "delivery", delivery["id"], *of)

    assert [page["items"][0]["id"] for page in (first, second)] == [newer, older]
    assert [attempt["statusCode"] for attempt in told["attemptLog"]] == [200]
    assert sent.body["id"] in told["request"]["body"]
    assert "987650005" not in json.dumps(told)
    assert "No such record" in await refusal(service, "webhooks", "delivery", "dlv_nobody", *of)


async def test_an_address_that_bounced_is_seen_masked_and_written_to_again(
    service: Service,
) -> None:
    customer = (await service.up()).customer
    of = ("--org", service._known.organization_id, "--env", "test")
    await service.svc("email-sender", "verify", "@padaria.example", *of)
    address = "bounce+ana@example.com"
    letter = {"from": "oi@padaria.example", "to": address, "subject": "Oi", "text": "Oi"}
    sent = await customer.call(
        "POST", "/v2/email/messages", letter, headers={"Idempotency-Key": "a"}
    )
    assert sent.status == 201, sent.body

    async def suppressed() -> bool:
        return bool((await service.svc("suppressions", "list", *of, "--to", address))["items"])

    await eventually(suppressed, "the bounce is told")
    (masked,) = (await service.svc("suppressions", "list", *of))["items"]
    (whole,) = (await service.svc("suppressions", "list", *of, "--unmasked"))["items"]
    others = await service.svc("suppressions", "list", *of, "--to", "other@example.com")
    removed = await service.svc("suppressions", "remove", address, *of)

    assert (whole["to"], removed) == (address, {"id": masked["id"]})
    assert "bounce+ana" not in json.dumps(masked)
    assert others["items"] == []
    assert (await service.svc("suppressions", "list", *of))["items"] == []


async def test_a_suppressed_address_is_seen_and_written_to_again(service: Service) -> None:
    of = ("--org", service._known.organization_id, "--env", "test")

    listed: dict[str, Any] = await service.svc("suppressions", "list", *of)

    assert listed["items"] == []
    assert await refusal(service, "suppressions", "remove", "nobody@example.com", *of)
